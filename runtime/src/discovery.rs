//! Which hidden tools a model has been shown, and which capabilities it has loaded: told by the history alone.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use crate::capability::{LOAD_KIND, LOADED};
use crate::json::Json;
use crate::message::{History, Message, Outcome, RequestPart, ResponsePart, ToolContent, ToolReturnPart};
use crate::search::{SEARCH_KIND, SEARCH_TOOL};
use crate::tool::ToolDefinition;
use crate::tool::kind::{LoadCapabilityArgs, LoadCapabilityResult};

/// The names of the tools that the history shows were found or revealed, and the ids of the capabilities that were loaded.
#[derive(Default)]
pub(crate) struct Discovery {
    names: Arc<HashSet<String>>,
    loaded: Arc<HashSet<String>>,
    /// What calls load that are not answered yet, by the ids of the calls.
    loading: HashMap<String, String>,
    /// How many messages were looked at.
    seen: usize,
}

impl Discovery {
    /// Looks at the messages that are new; whether they tell of anything.
    pub(crate) fn update(&mut self, history: &History) -> bool {
        let before = (self.names.len(), self.loaded.len());
        for message in history.shared_from(self.seen) {
            match &**message {
                Message::Request(request) => request.parts.iter().for_each(|part| self.look_at(part)),
                Message::Response(response) => {
                    for part in &response.parts {
                        match part {
                            ResponsePart::BuiltinToolReturn(part) if is_of(&part.tool_kind, SEARCH_KIND) => {
                                self.add(found(&part.content));
                            }
                            ResponsePart::ToolCall(call) if is_of(&call.tool_kind, LOAD_KIND) => {
                                let args = serde_json::from_str::<LoadCapabilityArgs>(call.args.text());
                                self.loading.extend(args.ok().map(|args| (call.tool_call_id.clone(), args.id)));
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        self.seen = history.len();
        before != (self.names.len(), self.loaded.len())
    }

    fn look_at(&mut self, part: &RequestPart) {
        match part {
            RequestPart::ToolAvailabilityDelta(delta) => self.add(delta.tools_added.iter().cloned()),
            RequestPart::ToolReturn(part) if part.outcome != Outcome::Success => {}
            RequestPart::ToolReturn(part) if is_of(&part.tool_kind, LOAD_KIND) => {
                let called = self.loading.remove(&part.tool_call_id);
                let id = part.metadata.as_ref().and_then(loaded_id).or(called);
                // What was not run is answered by words alone.
                let has_run = part.content.read::<LoadCapabilityResult>().is_ok();
                self.load(id.filter(|_| has_run));
            }
            RequestPart::ToolReturn(part) => {
                self.add(search_result(part).into_iter().flat_map(|content| found(&content)));
            }
            RequestPart::CapabilityLoadDelta(delta) => self.load(delta.loaded.iter().cloned()),
            _ => {}
        }
    }

    /// Adds names, whose evidence is about to be in the history.
    pub(crate) fn add(&mut self, names: impl IntoIterator<Item = String>) {
        for name in names {
            if !self.names.contains(&name) {
                Arc::make_mut(&mut self.names).insert(name);
            }
        }
    }

    fn load(&mut self, ids: impl IntoIterator<Item = String>) {
        for id in ids {
            if !self.loaded.contains(&id) {
                Arc::make_mut(&mut self.loaded).insert(id);
            }
        }
    }

    /// Whether the capability was loaded.
    pub(crate) fn is_loaded(&self, capability_id: &str) -> bool {
        self.loaded.contains(capability_id)
    }

    pub(crate) fn loaded(&self) -> Arc<HashSet<String>> {
        self.loaded.clone()
    }

    /// Whether the model can call the tool: it was never hidden, or it was found, or its capability was loaded.
    pub(crate) fn is_open(&self, tool: &ToolDefinition) -> bool {
        match tool.capability_id() {
            Some(id) => self.is_loaded(id),
            None => !tool.defer_loading() || self.contains(tool.name()),
        }
    }

    /// Whether it tells the same as when these were its names and capabilities, whoever holds on to them.
    pub(crate) fn is_as(&self, names: &Arc<HashSet<String>>, loaded: &Arc<HashSet<String>>) -> bool {
        Arc::ptr_eq(&self.names, names) && Arc::ptr_eq(&self.loaded, loaded)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    pub(crate) fn names(&self) -> Arc<HashSet<String>> {
        self.names.clone()
    }
}

/// The capability that a load's result says it was.
fn loaded_id(metadata: &Json) -> Option<String> {
    metadata.to_value().get(LOADED)?.as_str().map(str::to_owned)
}

pub(crate) fn is_of(kind: &Option<String>, id: &str) -> bool {
    kind.as_deref() == Some(id)
}

/// What a search found, in the form of a search's result; none for the result of another tool. Histories that are older than
/// kinds have the names beside a result in words.
pub(crate) fn search_result(result: &ToolReturnPart) -> Option<Cow<'_, ToolContent>> {
    #[derive(Deserialize)]
    struct Beside {
        discovered_tools: Vec<String>,
    }
    if is_of(&result.tool_kind, SEARCH_KIND) {
        return Some(Cow::Borrowed(&result.content));
    }
    let beside = result.metadata.as_ref().filter(|_| result.tool_name == SEARCH_TOOL)?;
    let names = beside.read::<Beside>().ok()?.discovered_tools;
    let tools: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
    Some(Cow::Owned(json!({"discovered_tools": tools}).into()))
}

/// The names in a search's result.
pub(crate) fn found(content: &ToolContent) -> Vec<String> {
    #[derive(Deserialize)]
    struct Found {
        discovered_tools: Vec<Match>,
    }
    #[derive(Deserialize)]
    struct Match {
        name: String,
    }
    let found: Option<Found> = content.read().ok();
    found.into_iter().flat_map(|found| found.discovered_tools).map(|found| found.name).collect()
}
