//! Tools that the provider itself runs: its web search, its code execution and the like.
//!
//! ```
//! use toolwright::model::TestModel;
//! use toolwright::native::{NativeTool, WebSearch};
//! use toolwright::{Agent, tool, tools};
//!
//! /// Search the web, by a service of ours.
//! #[tool(unless_native = "web_search")]
//! fn search(query: String) -> String {
//!     format!("nothing about {query}")
//! }
//!
//! # fn main() -> toolwright::Result<()> {
//! // Where the model's provider searches the web itself, it does; elsewhere `search` is offered.
//! let agent = Agent::<()>::builder(TestModel::new())
//!     .native_tool(WebSearch::new().allowed_domains(["docs.rs"]))
//!     .tools(tools![search])
//!     .build()?;
//! # let _ = agent;
//! # Ok(())
//! # }
//! ```
//!
//! The provider runs such a tool while it answers. What the model asked of it and what came of it are parts of the response
//! ([`BuiltinToolCallPart`](crate::message::BuiltinToolCallPart) and
//! [`BuiltinToolReturnPart`](crate::message::BuiltinToolReturnPart)): they are kept in the history, go back to the same provider
//! as they came, and are left out at any other.
//!
//! | tool | Anthropic | OpenAI Responses | Google |
//! |---|---|---|---|
//! | [`WebSearch`] | yes | yes, without `max_uses` and blocked sites | yes, without limits |
//! | [`WebFetch`] | yes | no | yes, without limits |
//! | [`CodeExecution`] | yes | yes | yes |
//! | [`ProviderTool`] | its own | its own | its own |
//!
//! A limit that a provider cannot keep counts: the tool is then not there (specification: behaviours 5).

mod rivals;
mod task;
mod wanted;

pub(crate) use rivals::{Rivals, without_rivals};
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub(crate) use task::Located;
#[cfg(feature = "anthropic")]
pub(crate) use task::Sites;
pub use task::{CodeExecution, NativeTask, ProviderTool, UserLocation, WebFetch, WebSearch};
pub(crate) use wanted::WantedTools;

/// A tool that the provider itself runs.
///
/// Made of [`WebSearch`], [`WebFetch`], [`CodeExecution`] or [`ProviderTool`], and given to an agent with
/// [`AgentBuilder::native_tool`](crate::AgentBuilder::native_tool).
#[derive(Clone, Debug, PartialEq)]
pub struct NativeTool {
    task: NativeTask,
    optional: bool,
}

impl NativeTool {
    /// Leaves the tool out where the model's provider does not have it. Otherwise a run with such a model is misuse, unless a
    /// function tool is there in its place ([`ToolDefinition::unless_native`](crate::ToolDefinition::unless_native)).
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Whether it is left out where the model's provider does not have it.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.optional
    }

    /// What it does.
    #[must_use]
    pub fn task(&self) -> &NativeTask {
        &self.task
    }

    /// What kind of tool it is, such as `web_search`.
    #[must_use]
    pub fn kind(&self) -> &str {
        match &self.task {
            NativeTask::WebSearch(_) => WebSearch::KIND,
            NativeTask::WebFetch(_) => WebFetch::KIND,
            NativeTask::CodeExecution(_) => CodeExecution::KIND,
            NativeTask::Provider(tool) => tool.kind(),
        }
    }
}

impl<T: Into<NativeTask>> From<T> for NativeTool {
    fn from(task: T) -> Self {
        Self { task: task.into(), optional: false }
    }
}
