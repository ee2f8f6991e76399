//! A toolset of which some tools are left out.

use std::fmt;

use super::{Toolset, label};
use crate::context::RunContext;
use crate::error::Result;
use crate::report::Decider;
use crate::tool::{Tool, ToolDefinition};

type Keep<D> = Box<dyn Fn(&RunContext<D>, &ToolDefinition) -> bool + Send + Sync>;

/// A toolset of which only some tools are there; made with [`ToolsetExt::filtered`](super::ToolsetExt::filtered).
pub struct FilteredToolset<T, D> {
    inner: T,
    keep: Keep<D>,
}

impl<T, D> FilteredToolset<T, D> {
    pub(super) fn new(
        inner: T,
        keep: impl Fn(&RunContext<D>, &ToolDefinition) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { inner, keep: Box::new(keep) }
    }
}

impl<T: Toolset<D>, D: Send + Sync + 'static> Toolset<D> for FilteredToolset<T, D> {
    fn id(&self) -> Option<&str> {
        self.inner.id()
    }

    fn clash_hint(&self) -> &'static str {
        self.inner.clash_hint()
    }

    async fn tools(&self, ctx: &RunContext<D>) -> Result<Vec<Tool<D>>> {
        let mut tools = self.inner.tools(ctx).await?;
        tools.retain(|tool| {
            let kept = (self.keep)(ctx, tool.definition());
            if !kept {
                ctx.note_left_out(Decider::Filter(label(&self.inner, ctx)), tool.definition());
            }
            kept
        });
        Ok(tools)
    }
}

impl<T: fmt::Debug, D> fmt::Debug for FilteredToolset<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilteredToolset").field("inner", &self.inner).finish_non_exhaustive()
    }
}
