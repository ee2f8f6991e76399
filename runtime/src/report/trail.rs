//! What changes a step's tools, written down while they are collected.

use std::fmt;
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use super::ToolStatus;
use crate::context::RunContext;
use crate::tool::ToolDefinition;

/// Who edited a tool, or left it out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decider {
    /// The tool's own `prepare`.
    Prepare,
    /// A [filter](crate::ToolsetExt::filtered) around the toolset that is called so: "toolset `billing`".
    Filter(Arc<str>),
    /// The hook over a list of tools that is called so: "the `prepare_tools` hook".
    Hook(Arc<str>),
}

impl fmt::Display for Decider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prepare => f.write_str("its own `prepare`"),
            Self::Filter(toolset) => write!(f, "the filter of {toolset}"),
            Self::Hook(hook) => f.write_str(hook),
        }
    }
}

/// The place of the toolset that was being asked, among those of the run; none once all have answered.
pub(super) type Owner = Option<usize>;

/// What somebody changed in a tool's definition.
#[derive(Clone, Debug)]
pub struct ToolEdit {
    owner: Owner,
    name: Arc<str>,
    by: Decider,
    before: ToolDefinition,
    after: ToolDefinition,
}

impl ToolEdit {
    pub(super) fn owner(&self) -> Owner {
        self.owner
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Who changed it.
    #[must_use]
    pub fn by(&self) -> &Decider {
        &self.by
    }

    /// The definition before.
    #[must_use]
    pub fn before(&self) -> &ToolDefinition {
        &self.before
    }

    /// The definition after it. Others may have changed it since.
    #[must_use]
    pub fn after(&self) -> &ToolDefinition {
        &self.after
    }

    /// What was changed, by the names of [`ToolDefinition`]'s getters: `description`, `parameters`, `strict`, …
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.before.differing_fields(&self.after)
    }
}

/// A tool that is not there any more.
#[derive(Clone, Debug)]
pub(super) struct LeftOut {
    pub(super) owner: Owner,
    pub(super) name: Arc<str>,
    pub(super) definition: ToolDefinition,
    pub(super) status: ToolStatus,
}

/// What was changed in a step.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(super) edits: Vec<ToolEdit>,
    pub(super) left_out: Vec<LeftOut>,
}

impl Changes {
    /// A tool stepped aside for the one called `winner`.
    pub(crate) fn superseded(&mut self, tool: &ToolDefinition, winner: Arc<str>) {
        let (name, definition, status) = (tool.shared_name(), tool.clone(), ToolStatus::Superseded(winner));
        self.left_out.push(LeftOut { owner: None, name, definition, status });
    }

    /// Toolsets are asked at once; what they changed is told in their order.
    fn in_order(mut self) -> Self {
        let place = |owner: Owner| owner.unwrap_or(usize::MAX);
        self.edits.sort_by_key(|edit| place(edit.owner));
        self.left_out.sort_by_key(|tool| place(tool.owner));
        self
    }
}

/// Where changes are written down, while a step's tools are collected; at other times nobody asks for them.
#[derive(Default)]
pub(crate) struct Trail(Mutex<Option<Changes>>);

impl Trail {
    pub(crate) fn begin(&self) {
        self.write(|changes| *changes = Some(Changes::default()));
    }

    pub(crate) fn end(&self) -> Changes {
        let mut ended = Changes::default();
        self.write(|changes| ended = take(changes).unwrap_or_default());
        ended.in_order()
    }

    fn write(&self, write: impl FnOnce(&mut Option<Changes>)) {
        write(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl<D> RunContext<D> {
    /// Writes down that `by` changed a tool of the toolset that is being asked, or of the agent.
    pub(crate) fn note_edit(&self, by: Decider, before: &ToolDefinition, after: &ToolDefinition) {
        self.trail().write(|changes| {
            if let Some(changes) = changes {
                let (owner, name) = (self.toolset_place(), self.exposed_name(after));
                changes.edits.push(ToolEdit { owner, name, by, before: before.clone(), after: after.clone() });
            }
        });
    }

    /// Writes down that `by` left a tool out.
    pub(crate) fn note_left_out(&self, by: Decider, tool: &ToolDefinition) {
        self.trail().write(|changes| {
            if let Some(changes) = changes {
                let (owner, name) = (self.toolset_place(), self.exposed_name(tool));
                let (definition, status) = (tool.clone(), ToolStatus::LeftOut(by));
                changes.left_out.push(LeftOut { owner, name, definition, status });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> ToolDefinition {
        ToolDefinition::new(name)
    }

    #[test]
    fn what_happens_outside_of_a_collection_is_not_kept() {
        let ctx = RunContext::detached(());
        ctx.note_left_out(Decider::Prepare, &tool("a"));
        assert!(ctx.trail().end().left_out.is_empty());
        ctx.trail().begin();
        ctx.note_left_out(Decider::Prepare, &tool("b"));
        ctx.note_edit(Decider::Prepare, &tool("c"), &tool("c").with_strict(true));
        let changes = ctx.trail().end();
        assert_eq!(changes.left_out.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), ["b"]);
        assert_eq!(changes.edits[0].fields().collect::<Vec<_>>(), ["strict"]);
        assert!(ctx.trail().end().edits.is_empty());
    }

    #[test]
    fn changes_are_told_in_the_order_of_the_toolsets_and_the_agents_own_last() {
        let ctx = RunContext::detached(());
        let of = |place| ctx.for_toolset(place, "a toolset".into());
        ctx.trail().begin();
        of(1).note_left_out(Decider::Prepare, &tool("second"));
        ctx.note_left_out(Decider::Prepare, &tool("third"));
        of(0).note_left_out(Decider::Prepare, &tool("first"));
        let names: Vec<_> = ctx.trail().end().left_out.into_iter().map(|tool| tool.name.to_string()).collect();
        assert_eq!(names, ["first", "second", "third"]);
    }
}
