//! Application data on tools.

use std::fmt;

use super::{Capability, HookResult, Hooks, Internals};
use crate::context::RunContext;
use crate::message::Metadata;
use crate::tool::ToolDefinition;

type Selector = Box<dyn Fn(&ToolDefinition) -> bool + Send + Sync>;

/// Adds application data to the agent's function tools at each step. It is never sent; hooks and listeners read it at
/// [`ToolDefinition::metadata`]. A key that is there already is overwritten.
///
/// ```
/// use serde_json::json;
/// use toolwright::capability::SetToolMetadata;
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, RunContext, ToolDefinition, tool, tools};
///
/// /// Delete a row.
/// #[tool]
/// fn delete_row(id: u32) -> String {
///     format!("{id} is gone")
/// }
///
/// fn nothing_risky(_: &RunContext<()>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
///     tools.into_iter().filter(|tool| tool.metadata().is_none_or(|data| data.get("risk").is_none())).collect()
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let risky = SetToolMetadata::new([("risk", json!("high"))]).only(|tool| tool.name().starts_with("delete_"));
/// let agent = Agent::<()>::builder(TestModel::new())
///     .tools(tools![delete_row])
///     .capability(risky)
///     .prepare_tools(nothing_risky)
///     .build()?;
/// assert_eq!(agent.run("Delete 1.").run_blocking()?.output(), "success (no tool calls)");
/// # Ok(())
/// # }
/// ```
pub struct SetToolMetadata {
    metadata: Metadata,
    selector: Option<Selector>,
}

impl SetToolMetadata {
    /// Adds these pairs to every tool.
    #[must_use]
    pub fn new<K: Into<String>>(metadata: impl IntoIterator<Item = (K, serde_json::Value)>) -> Self {
        Self { metadata: metadata.into_iter().map(|(key, value)| (key.into(), value)).collect(), selector: None }
    }

    /// Adds them only to the tools for which `selector` holds.
    #[must_use]
    pub fn only(mut self, selector: impl Fn(&ToolDefinition) -> bool + Send + Sync + 'static) -> Self {
        self.selector = Some(Box::new(selector));
        self
    }
}

impl<D: Send + Sync + 'static> Capability<D> for SetToolMetadata {
    async fn prepare_tools(&self, _: &RunContext<D>, tools: Vec<ToolDefinition>) -> HookResult<Vec<ToolDefinition>> {
        let is_chosen = |tool: &ToolDefinition| self.selector.as_ref().is_none_or(|selector| selector(tool));
        let set = |tool: ToolDefinition| if is_chosen(&tool) { tool.merge_metadata(&self.metadata) } else { tool };
        Ok(tools.into_iter().map(set).collect())
    }

    fn internals(&self) -> Internals<'_, D> {
        Internals {
            hooks: Hooks { prepare_tools: true, ..Hooks::NONE },
            label: Some("`SetToolMetadata`".into()),
            ..Internals::default()
        }
    }
}

impl fmt::Debug for SetToolMetadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetToolMetadata").field("metadata", &self.metadata).finish_non_exhaustive()
    }
}
