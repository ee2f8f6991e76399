//! A conversation as it was sent, so that the next request of a run only encodes what is new.

use std::sync::Arc;

use super::message::{MessageWriter, append_message};
use super::profile::OpenAiChatProfile;
use crate::error::Result;
use crate::message::{History, Message};

/// What a run has sent so far: the same messages are the same bytes in every request, and new ones are appended.
///
/// A message is known by its address; keeping the history keeps the address from being used for another one.
#[derive(Default)]
pub(super) struct Transcript {
    profile: Option<OpenAiChatProfile>,
    units: Vec<Unit>,
    history: History,
    text: Vec<u8>,
    lead: usize,
    announced: Vec<(String, bool)>,
}

/// The end of a response and the requests up to the next one: what answers its calls stands in them.
#[derive(Clone, Copy, Default)]
struct Unit {
    /// Where it ends.
    messages: usize,
    bytes: usize,
}

impl Transcript {
    /// Brings the transcript up to `history`.
    ///
    /// # Errors
    ///
    /// Misuse, when a prompt cannot be sent to such a model.
    pub(super) fn update(
        &mut self,
        history: &History,
        profile: &OpenAiChatProfile,
        is_offered: &dyn Fn(&str) -> bool,
    ) -> Result<()> {
        let fits = self.profile.as_ref() == Some(profile)
            && self.announced.iter().all(|(name, offered)| is_offered(name) == *offered);
        if !fits {
            *self = Self { profile: Some(profile.clone()), ..Self::default() };
        }
        self.keep_common(history);
        let mut end = self.end();
        let fresh: Vec<_> = history.shared_from(end.messages).cloned().collect();
        let mut fresh = fresh.as_slice();
        while let Some(unit) = next_unit(fresh) {
            fresh = &fresh[unit.len()..];
            let start = self.text.len();
            let mut writer = MessageWriter {
                out: &mut self.text,
                profile,
                is_offered,
                announced: &mut self.announced,
                lead: &mut self.lead,
            };
            let written = match unit {
                [first, requests @ ..] if let Message::Response(response) = &**first => {
                    writer.unit(Some(response), requests)
                }
                requests => writer.unit(None, requests),
            };
            if written.is_err() {
                self.text.truncate(start);
                self.lead = self.lead.min(start);
            }
            written?;
            end = Unit { messages: end.messages + unit.len(), bytes: self.text.len() };
            self.units.push(end);
        }
        Ok(())
    }

    /// Where the last unit ends.
    fn end(&self) -> Unit {
        self.units.last().copied().unwrap_or_default()
    }

    /// Drops what `history` does not begin with, and a last unit that it goes on with.
    fn keep_common(&mut self, history: &History) {
        let common = self.history.shared_with(history);
        let is_whole = |unit: &Unit| match history.shared_from(unit.messages).next() {
            Some(next) => unit.messages <= common && matches!(**next, Message::Response(_)),
            None => unit.messages == common && unit.messages == history.len(),
        };
        while self.units.last().is_some_and(|unit| !is_whole(unit)) {
            self.units.pop();
        }
        self.history = history.clone();
        let bytes = self.end().bytes;
        self.text.truncate(bytes);
        self.lead = self.lead.min(bytes);
    }

    /// Appends the messages as a JSON array; instructions follow the system prompts that open the conversation.
    pub(super) fn append_to(&self, out: &mut Vec<u8>, role: &str, instructions: Option<&str>) {
        out.push(b'[');
        let (lead, rest) = self.text.split_at(self.lead);
        out.extend_from_slice(lead);
        if let Some(instructions) = instructions.filter(|text| !text.is_empty()) {
            append_message(out, role, instructions);
        }
        out.extend_from_slice(rest);
        if out.last() == Some(&b',') {
            out.pop();
        }
        out.push(b']');
    }

    /// How many bytes the messages are.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}

/// A response, if it comes first, and the requests up to the next one.
fn next_unit(messages: &[Arc<Message>]) -> Option<&[Arc<Message>]> {
    let end = messages.iter().skip(1).position(|message| matches!(**message, Message::Response(_)));
    let unit = &messages[..end.map_or(messages.len(), |end| end + 1)];
    (!unit.is_empty()).then_some(unit)
}
