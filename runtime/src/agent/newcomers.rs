//! Tools that appear while a run goes on: recorded once, so that a model learns of them.

use std::collections::HashSet;
use std::sync::Arc;

use super::state::RunState;
use crate::event::Event;
use crate::message::{RequestPart, ToolAvailabilityDeltaPart};
use crate::tool::ToolDefinition;

/// Which tools the run's model was given from the start.
#[derive(Default)]
pub(super) struct Established {
    names: Option<HashSet<Arc<str>>>,
    /// What was offered when it was last looked at.
    offered: Arc<[ToolDefinition]>,
}

impl Established {
    /// The tools among those offered that came after the start; none while there is nothing before them to be kept.
    fn newcomers(
        &mut self,
        offered: &Arc<[ToolDefinition]>,
        outputs: bool,
        known: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        if self.names.is_some() && Arc::ptr_eq(&self.offered, offered) {
            return Vec::new();
        }
        self.offered = offered.clone();
        let open = || offered.iter().filter(|tool| !tool.defer_loading());
        let first = self.names.is_none();
        let start = || open().filter(|tool| !known(tool.name())).map(ToolDefinition::shared_name).collect();
        let names = self.names.get_or_insert_with(start);
        if !outputs && !open().any(|tool| names.contains(tool.name())) {
            names.extend(open().map(ToolDefinition::shared_name));
        }
        if first {
            return Vec::new();
        }
        let is_new = |name: &&str| !names.contains(*name) && !known(name);
        open().map(ToolDefinition::name).filter(is_new).map(str::to_owned).collect()
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Records tools that have appeared in the request that is about to be sent (specification: "Tools that appear
    /// mid-run"; behaviours 18).
    pub(super) fn announce_newcomers(&mut self) {
        let outputs = !self.tools.output_definitions.is_empty();
        let discovery = &self.discovery;
        let names = self.established.newcomers(&self.tools.offered, outputs, |name| discovery.contains(name));
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
