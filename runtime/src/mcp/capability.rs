//! An MCP server with what it says of itself.

use std::fmt;

use super::toolset::McpToolset;
use crate::capability::{Capability, HookResult, Hooks, Internals};
use crate::context::RunContext;
use crate::toolset::{AnyToolset, Toolset, ToolsetExt};

/// An MCP server with what it says of itself: its tools, and its instructions. Made with
/// [`McpToolset::with_instructions`].
#[must_use]
pub struct McpCapability<D> {
    toolset: McpToolset<D>,
}

impl<D> McpCapability<D> {
    pub(super) fn new(toolset: McpToolset<D>) -> Self {
        Self { toolset }
    }
}

impl<D: Send + Sync + 'static> Capability<D> for McpCapability<D> {
    fn id(&self) -> Option<&str> {
        Toolset::id(&self.toolset)
    }

    async fn instructions(&self, ctx: &RunContext<D>) -> HookResult<Option<String>> {
        Ok(self.toolset.connection(ctx).instructions())
    }

    fn toolsets(&self) -> Vec<AnyToolset<D>> {
        vec![self.toolset.clone().boxed()]
    }

    fn internals(&self) -> Internals<'_, D> {
        Internals { hooks: Hooks { context: true, ..Hooks::NONE }, ..Internals::default() }
    }
}

impl<D> fmt::Debug for McpCapability<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("McpCapability").field(&self.toolset).finish()
    }
}
