//! Toolwright hands Rust functions to language models as tools.

extern crate self as toolwright;

#[doc(hidden)]
pub mod __private;
mod agent;
pub mod args;
mod choice;
mod context;
mod deferred;
pub mod error;
mod event;
mod id;
pub mod json;
mod later;
pub mod message;
pub mod model;
mod output;
pub mod prepare;
mod repair;
mod retry;
pub mod tool;
pub mod toolset;
mod transcript;
mod usage;
pub mod validator;

pub use agent::{Agent, AgentBuilder, EndStrategy, HasDeps, IntoInstructions, NeedsDeps, Run, RunResult, StepReport};
pub use context::{ModelInfo, RunContext};
pub use deferred::{Approval, DeferredResult, DeferredToolRequests, DeferredToolResults, MaybeDeferred};
pub use error::{Error, ErrorKind, Result};
pub use event::Event;
pub use json::Json;
pub use later::{BoxFuture, Later};
pub use message::{AudioUrl, BinaryContent, DocumentUrl, File, History, ImageUrl, VideoUrl};
pub use model::{Model, ModelSettings, ToolChoice};
pub use output::{OutputSpec, OutputTool};
pub use retry::Retries;
pub use tokio_util::sync::CancellationToken;
pub use tool::{
    ApprovalRequired, CallDeferred, CallKind, ModelRetry, RawTool, Tool, ToolDefinition, ToolFailed, ToolReturn,
};
pub use toolset::{ExternalToolset, FunctionToolset, Toolset, ToolsetExt};
pub use transcript::RecordedHistory;
pub use usage::{RequestUsage, RunUsage, UsageLimits};

/// Makes a list of tools out of the types that `#[tool]` made.
///
/// ```ignore
/// let tools = tools![hitchhiker, search::<Web>];
/// ```
#[macro_export]
macro_rules! tools {
    ($($tool:ty),* $(,)?) => {
        ::std::vec::Vec::from([$($crate::Tool::typed::<$tool>()),*])
    };
}
