//! The messages of a conversation, in the form in which they are stored (specification: behaviours 15).

mod arguments;
mod attempt;
mod cache_point;
mod content;
mod file;
mod history;
mod part;
mod request;
mod response;
mod stored;
mod timestamp;

pub use arguments::Arguments;
pub use attempt::{AttemptOutcome, FailedAttempt};
pub use cache_point::{CachePoint, CacheTtl};
pub use content::{Prompt, ToolContent, ToolContentItem, UserContent};
pub(crate) use file::FILE_MARKER;
pub use file::{AudioUrl, BinaryContent, DocumentUrl, File, FileClass, ImageUrl, VideoUrl};
pub use history::{History, Message};
#[cfg(any(feature = "google", feature = "openai"))]
pub(crate) use part::new_call_id;
pub use part::{
    BuiltinToolCallPart, BuiltinToolReturnPart, Metadata, Outcome, RetryCause, RetryInfo, TextPart, ThinkingPart,
    ToolCallPart, ToolReturnPart, UnknownPart,
};
pub use request::{
    CapabilityLoadDeltaPart, MessageState, ModelRequest, RequestPart, RetryFeedbackPart, SystemPromptPart,
    ToolAvailabilityDeltaPart, UserPromptPart,
};
pub use response::{FinishReason, ModelResponse, ResponsePart};
pub use stored::Extra;
pub use timestamp::Timestamp;
