//! What happens in a run, as it happens.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};
use toolwright::message::ModelResponse;
use toolwright::model::ModelInput;

use crate::compare::{Moment, Place};

/// What happens in a run; a handle that everything in it shares.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Entries>>);

/// What has happened.
#[derive(Default)]
pub(crate) struct Entries {
    pub(crate) executed: Vec<Moment>,
    pub(crate) events: Vec<Moment>,
    pub(crate) inputs: Vec<ModelInput>,
    calls: HashMap<String, Call>,
    responses: usize,
}

/// What is known of a call besides its moments.
#[derive(Clone, Copy, Default)]
struct Call {
    place: Option<Place>,
    sleep_ms: u64,
}

impl Log {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What has happened since the last time this was asked.
    pub(crate) fn take(&self) -> Entries {
        std::mem::take(&mut *self.entries())
    }

    /// The model is asked.
    pub(crate) fn asked(&self, input: &ModelInput) {
        self.entries().inputs.push(input.clone());
    }

    /// The model has answered: from here on its calls are known by their place between barriers.
    pub(crate) fn answered(&self, input: &ModelInput, response: &ModelResponse) {
        let mut entries = self.entries();
        entries.responses += 1;
        let one_by_one = input.settings.parallel_tool_calls == Some(false);
        let mut place = Place { response: entries.responses, stretch: 0 };
        for call in response.tool_calls() {
            let mut tools = input.function_tools.iter();
            let alone = one_by_one || tools.any(|tool| tool.name() == call.tool_name && tool.sequential());
            place.stretch += usize::from(alone);
            let known = Call { place: Some(place), sleep_ms: 0 };
            entries.calls.insert(call.tool_call_id.clone(), known);
            place.stretch += usize::from(alone);
        }
    }

    /// A tool starts; it ends when what this gives is dropped.
    pub(crate) fn start(&self, tool: &str, call_id: &str, args: &Map<String, Value>, sleep_ms: u64) -> Running {
        let mut entries = self.entries();
        let call = entries.calls.entry(call_id.to_owned()).or_default();
        call.sleep_ms = sleep_ms;
        let call = *call;
        entries.executed.push(call.moment(json!({"tool": tool, "args": args, "at": "start"})));
        Running { log: self.clone(), tool: tool.to_owned(), call }
    }

    /// An event of the call `call_id`, if it is of one.
    pub(crate) fn event(&self, event: Value, call_id: Option<&str>) {
        let mut entries = self.entries();
        let call = call_id.and_then(|id| entries.calls.get(id)).copied().unwrap_or_default();
        entries.events.push(call.moment(event));
    }
}

impl Call {
    fn moment(self, value: Value) -> Moment {
        Moment { value, place: self.place, sleep_ms: self.sleep_ms }
    }
}

/// A tool that runs.
pub(crate) struct Running {
    log: Log,
    tool: String,
    call: Call,
}

impl Drop for Running {
    fn drop(&mut self) {
        let end = self.call.moment(json!({"tool": self.tool, "at": "end"}));
        self.log.entries().executed.push(end);
    }
}
