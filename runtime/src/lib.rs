//! Toolwright hands Rust functions to language models as tools.

extern crate self as toolwright;

#[doc(hidden)]
pub mod __private;
pub mod args;
mod choice;
mod context;
pub mod error;
#[cfg(feature = "http")]
#[cfg_attr(not(feature = "openai"), allow(dead_code, unused_imports, reason = "no provider is switched on"))]
mod http;
mod id;
pub mod json;
mod later;
pub mod message;
pub mod model;
pub mod prepare;
#[cfg(feature = "openai")]
pub mod provider;
mod schema;
pub mod tool;
mod usage;
pub mod validator;

pub use context::{ModelInfo, RunContext};
pub use error::{Error, ErrorKind, Result};
pub use json::Json;
pub use later::{BoxFuture, Later};
pub use message::{AudioUrl, BinaryContent, DocumentUrl, File, History, ImageUrl, VideoUrl};
pub use model::{Model, ModelSettings, ToolChoice};
pub use tool::{ApprovalRequired, CallDeferred, CallKind, ModelRetry, RawTool, Tool, ToolDefinition, ToolFailed, ToolReturn};
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
