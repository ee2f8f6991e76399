//! Which hidden tools a model has been shown: told by the history alone.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Deserialize;

use crate::message::{History, Message, Outcome, RequestPart, ResponsePart, ToolContent};
use crate::search::SEARCH_KIND;

/// The names of the tools that the history shows were found or revealed.
#[derive(Default)]
pub(crate) struct Discovery {
    names: Arc<HashSet<String>>,
    /// How many messages were looked at.
    seen: usize,
}

impl Discovery {
    /// Looks at the messages that are new.
    pub(crate) fn update(&mut self, history: &History) {
        for message in history.shared_from(self.seen) {
            match &**message {
                Message::Request(request) => request.parts.iter().for_each(|part| self.look_at(part)),
                Message::Response(response) => {
                    for part in &response.parts {
                        if let ResponsePart::BuiltinToolReturn(part) = part
                            && part.tool_kind.as_deref() == Some(SEARCH_KIND)
                        {
                            self.add(found(&part.content));
                        }
                    }
                }
            }
        }
        self.seen = history.len();
    }

    fn look_at(&mut self, part: &RequestPart) {
        match part {
            RequestPart::ToolAvailabilityDelta(delta) => self.add(delta.tools_added.iter().cloned()),
            RequestPart::ToolReturn(part)
                if part.tool_kind.as_deref() == Some(SEARCH_KIND) && part.outcome == Outcome::Success =>
            {
                self.add(found(&part.content));
            }
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

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    pub(crate) fn names(&self) -> Arc<HashSet<String>> {
        self.names.clone()
    }
}

/// The names in a search's result.
fn found(content: &ToolContent) -> Vec<String> {
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
