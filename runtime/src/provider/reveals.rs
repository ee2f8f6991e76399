//! Which tools a conversation has revealed, in the order in which it did.

use crate::discovery::{found, is_of, search_result};
use crate::message::{History, Message, Outcome, RequestPart, ResponsePart};
use crate::search::SEARCH_KIND;

/// The tools that a conversation has revealed: searches have found them, or they were announced.
#[derive(Default)]
pub(crate) struct Reveals {
    history: History,
    /// The names in the order of their first reveal, each once.
    names: Vec<Reveal>,
    /// How often another conversation was looked at than before.
    restarts: usize,
}

struct Reveal {
    name: String,
    /// Whether it was announced, at first or later.
    announced: bool,
}

impl Reveals {
    /// Looks at what is new in `history`.
    pub(crate) fn update(&mut self, history: &History) {
        if self.history.shared_with(history) < self.history.len() {
            *self = Self { restarts: self.restarts + 1, ..Self::default() };
        }
        for message in history.shared_from(self.history.len()) {
            match &**message {
                Message::Request(request) => request.parts.iter().for_each(|part| self.request_part(part)),
                Message::Response(response) => response.parts.iter().for_each(|part| match part {
                    ResponsePart::BuiltinToolReturn(part) if is_of(&part.tool_kind, SEARCH_KIND) => {
                        found(&part.content).into_iter().for_each(|name| self.add(name, false));
                    }
                    _ => {}
                }),
            }
        }
        self.history = history.clone();
    }

    fn request_part(&mut self, part: &RequestPart) {
        match part {
            RequestPart::ToolAvailabilityDelta(delta) => {
                delta.tools_added.iter().for_each(|name| self.add(name.clone(), true));
            }
            RequestPart::ToolReturn(part) if part.outcome == Outcome::Success => {
                let found = search_result(part).into_iter().flat_map(|content| found(&content));
                found.for_each(|name| self.add(name, false));
            }
            _ => {}
        }
    }

    fn add(&mut self, name: String, announced: bool) {
        match self.names.iter_mut().find(|known| known.name == name) {
            Some(known) => known.announced |= announced,
            None => self.names.push(Reveal { name, announced }),
        }
    }

    /// What changes whenever the tools that are revealed may have: how often the conversation was another one, how many tools
    /// it has revealed, and how many of them it has announced.
    pub(crate) fn count(&self) -> (usize, usize, usize) {
        (self.restarts, self.names.len(), self.names.iter().filter(|known| known.announced).count())
    }

    /// When the tool was revealed, as compared with others.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known.name == name)
    }

    /// Whether the tool was announced.
    pub(crate) fn has_announced(&self, name: &str) -> bool {
        self.names.iter().any(|known| known.announced && known.name == name)
    }
}
