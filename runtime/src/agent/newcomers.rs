//! Tools that appear while a run goes on: recorded once, so that a model learns of them.

use std::collections::HashSet;
use std::sync::Arc;

use super::state::RunState;
use crate::discovery::Discovery;
use crate::event::Event;
use crate::message::{RequestPart, ToolAvailabilityDeltaPart};
use crate::tool::ToolDefinition;

/// Which tools the run's model was given from the start.
#[derive(Default)]
pub(super) struct Established {
    /// What was offered at the start, and the names that were known then. Their own names are only taken once something
    /// else is offered, which in most runs is never: a set of names costs as much as everything else done for a tool.
    start: Option<Start>,
    names: HashSet<Arc<str>>,
    /// What was offered when it was last looked at.
    offered: Option<Arc<[ToolDefinition]>>,
}

struct Start {
    offered: Arc<[ToolDefinition]>,
    known: Arc<HashSet<String>>,
}

impl Established {
    /// The tools among those offered that came after the start; none while there is nothing before them to be kept.
    fn newcomers(&mut self, offered: &Arc<[ToolDefinition]>, outputs: bool, discovery: &Discovery) -> Vec<String> {
        match self.offered.replace(offered.clone()) {
            Some(before) if Arc::ptr_eq(&before, offered) => return Vec::new(),
            Some(_) => {}
            None => {
                let kept = outputs || open(offered).any(|tool| !discovery.contains(tool.name()));
                let known = if kept { discovery.names() } else { Arc::default() };
                self.start = Some(Start { offered: offered.clone(), known });
                return Vec::new();
            }
        }
        if let Some(Start { offered, known }) = self.start.take() {
            let names = open(&offered).filter(|tool| !known.contains(tool.name()));
            self.names.extend(names.map(ToolDefinition::shared_name));
        }
        if !outputs && !open(offered).any(|tool| self.names.contains(tool.name())) {
            self.names.extend(open(offered).map(ToolDefinition::shared_name));
        }
        let is_new = |name: &&str| !self.names.contains(*name) && !discovery.contains(name);
        open(offered).map(ToolDefinition::name).filter(is_new).map(str::to_owned).collect()
    }
}

fn open(tools: &[ToolDefinition]) -> impl Iterator<Item = &ToolDefinition> {
    tools.iter().filter(|tool| !tool.defer_loading())
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Records tools that have appeared in the request that is about to be sent (specification: "Tools that appear
    /// mid-run"; behaviours 18).
    pub(super) fn announce_newcomers(&mut self) {
        let outputs = !self.tools.output_definitions.is_empty();
        let names = self.established.newcomers(&self.tools.offered, outputs, &self.discovery);
        if names.is_empty() {
            return;
        }
        self.discovery.add(names.iter().cloned());
        let part = ToolAvailabilityDeltaPart::new(names, None);
        self.transcript
            .edit_last_request(|request| request.parts.push(RequestPart::ToolAvailabilityDelta(part.clone())));
        self.emit(Event::ToolAvailabilityDelta { part });
    }
}
