//! Toolwright hands Rust functions to language models as tools.

extern crate self as toolwright;

#[doc(hidden)]
pub mod __private;
pub mod args;
mod context;
pub mod error;
mod id;
pub mod json;
mod later;
pub mod message;
pub mod model;
pub mod prepare;
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

#[cfg(feature = "macros")]
#[doc(inline)]
pub use toolwright_macros::{prepare_output_tools, prepare_tools, tool};

/// Makes a list of tools out of the types that `#[tool]` made; a generic tool is named with its types.
///
/// ```
/// # #[cfg(feature = "macros")]
/// # {
/// use toolwright::{Tool, tool, tools};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// /// Says it again.
/// #[tool]
/// fn echo<T: serde::Serialize>(value: T) -> T {
///     value
/// }
///
/// let tools: Vec<Tool<()>> = tools![add, echo::<String>];
/// assert_eq!(tools.iter().map(Tool::name).collect::<Vec<_>>(), ["add", "echo"]);
/// # }
/// ```
#[macro_export]
macro_rules! tools {
    ($($tool:ty),* $(,)?) => {
        $crate::__private::std::vec![$($crate::Tool::typed::<$tool>()),*]
    };
}
