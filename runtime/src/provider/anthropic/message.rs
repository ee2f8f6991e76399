//! The messages of a conversation as the Messages API wants them (specification: behaviours 13 and 14).

use super::SYSTEM;
use super::cache::{SYSTEM_END, last_block_end};
use super::content::{append_file, append_text, unreadable};
use super::decode::REDACTED;
use super::result::append_result;
use super::tools::channels;
use super::{native, search};
use crate::discovery::search_result;
use crate::error::{Error, Result};
use crate::json::append;
use crate::message::{
    BuiltinToolCallPart, BuiltinToolReturnPart, CachePoint, Outcome, Prompt, RequestPart, ThinkingPart, ToolContent,
    UserContent,
};
use crate::provider::availability::{Additions, Standing};
use crate::provider::blocks::{BlockForm, MESSAGE_END, answer_of, append_response, open_message};
use crate::provider::claude::AnthropicProfile;
use crate::provider::feedback::Feedback;
use crate::provider::file::refused;
use crate::provider::name::{made_up_id, plain_wire_id};
use crate::provider::transcript::{Draft, MessageForm};
use crate::provider::turn::{SentCall, Turn};

/// What stands for a response of which nothing can be sent, where there must be one.
const NOTHING: &str = "(nothing)";

/// How messages are written.
#[derive(Clone, PartialEq)]
pub(super) struct MessagesForm {
    pub(super) profile: AnthropicProfile,
    /// Whether the request has tools whose schemas the model does not see until the messages show them.
    pub(super) hides_schemas: bool,
}

impl MessageForm for MessagesForm {
    /// Appends a response, if there is one, and a message of the user's with the answers to its calls and what else the
    /// requests after it say.
    ///
    /// The words of system prompts that open the conversation go into the draft's opening, as they are.
    fn write(&self, turn: &Turn<'_>, draft: &mut Draft<'_>) -> Result<()> {
        let calls = turn.calls_named(plain_wire_id);
        if let Some(response) = turn.response {
            append_response(draft, self, response, &calls);
        }
        let mut user = UserMessage::begin(draft, self);
        calls.iter().for_each(|call| user.answer(call));
        for part in turn.request_parts() {
            user.part(part)?;
        }
        user.finish();
        Ok(())
    }
}

impl BlockForm for MessagesForm {
    fn text(&self, out: &mut Vec<u8>, text: &str) {
        append_text(out, text);
    }

    fn thoughts(&self, out: &mut Vec<u8>, part: &ThinkingPart) {
        let signature = part.signature.as_deref().filter(|signature| !signature.is_empty());
        let Some(signature) = signature.filter(|_| part.provider_name.as_deref() == Some(SYSTEM)) else { return };
        if part.id.as_deref() == Some(REDACTED) {
            out.extend_from_slice(br#"{"data":"#);
            append(out, signature);
            out.extend_from_slice(br#","type":"redacted_thinking"},"#);
        } else {
            out.extend_from_slice(br#"{"thinking":"#);
            append(out, &part.content);
            out.extend_from_slice(br#","signature":"#);
            append(out, signature);
            out.extend_from_slice(br#","type":"thinking"},"#);
        }
    }

    fn call(&self, out: &mut Vec<u8>, id: &str, name: &str, arguments: &str) {
        out.extend_from_slice(br#"{"type":"tool_use","id":"#);
        append(out, id);
        out.extend_from_slice(br#","name":"#);
        append(out, name);
        out.extend_from_slice(br#","input":"#);
        out.extend_from_slice(arguments.as_bytes());
        out.extend_from_slice(b"},");
    }

    fn result(&self, out: &mut Vec<u8>, id: &str, content: &ToolContent, outcome: Outcome) {
        append_result(out, id, content, outcome, &self.profile);
    }

    fn search_result(
        &self,
        draft: &mut Draft<'_>,
        out: &mut Vec<u8>,
        id: &str,
        content: &ToolContent,
        outcome: Outcome,
    ) {
        let shows = self.hides_schemas && outcome == Outcome::Success;
        if !(shows && search::append_result(draft, out, id, content)) {
            self.result(out, id, content, outcome);
        }
    }

    fn searches_as(&self) -> Option<&'static str> {
        self.profile.tool_search.then_some(SYSTEM)
    }

    fn own_search(&self, out: &mut Vec<u8>, id: &str, call: &BuiltinToolCallPart) {
        search::append_call(out, id, call);
    }

    fn own_found(&self, draft: &mut Draft<'_>, out: &mut Vec<u8>, id: &str, found: &BuiltinToolReturnPart) {
        search::append_found(draft, out, id, found);
    }

    fn runs_tools_as(&self) -> Option<&'static str> {
        Some(SYSTEM)
    }

    fn own_call(&self, out: &mut Vec<u8>, id: &str, call: &BuiltinToolCallPart) {
        native::append_call(out, id, call);
    }

    fn own_result(&self, out: &mut Vec<u8>, id: &str, result: &BuiltinToolReturnPart) {
        native::append_result(out, id, result);
    }

    /// A system message must stand before a response.
    fn in_place_of_nothing(&self, before: &[u8]) -> Option<&'static str> {
        before.ends_with(SYSTEM_END).then_some(NOTHING)
    }
}

/// A message of the user's that grows.
struct UserMessage<'w, 'd> {
    draft: &'w mut Draft<'d>,
    form: &'w MessagesForm,
    /// Whether nothing at all was said before it.
    is_first: bool,
    /// Where it begins, and where its blocks do.
    start: usize,
    content: usize,
    /// What the application says in a message of its own, after this one.
    said_apart: Vec<SaidApart>,
}

/// What the application says in a message of its own.
enum SaidApart {
    Words(String),
    /// That this tool was added.
    Addition(String),
}

impl<'w, 'd> UserMessage<'w, 'd> {
    fn begin(draft: &'w mut Draft<'d>, form: &'w MessagesForm) -> Self {
        let (is_first, start) = (draft.opens(), draft.messages.len());
        open_message(draft.messages, "user");
        let content = draft.messages.len();
        Self { draft, form, is_first, start, content, said_apart: Vec::new() }
    }

    /// The answer to a call.
    fn answer(&mut self, call: &SentCall<'_>) {
        let mut result = Vec::new();
        // Where nothing is hidden, what was found is told as it was.
        let found = call.answer.filter(|_| self.form.hides_schemas).and_then(search_result);
        answer_of(call, |content, outcome| match &found {
            Some(found) if outcome == Outcome::Success => {
                self.form.search_result(self.draft, &mut result, &call.id, found, outcome);
            }
            _ => self.form.result(&mut result, &call.id, content, outcome),
        });
        self.draft.messages.append(&mut result);
    }

    fn part(&mut self, part: &RequestPart) -> Result<()> {
        match part {
            RequestPart::SystemPrompt(prompt) if self.is_first && self.is_empty() => self.open(&prompt.content),
            RequestPart::SystemPrompt(prompt) => self.application(prompt.content.clone()),
            RequestPart::UserPrompt(prompt) => self.prompt(&prompt.content)?,
            RequestPart::RetryFeedback(feedback) => match Feedback::of(feedback) {
                Feedback::System(text) => self.application(text),
                Feedback::User(text) => append_text(self.draft.messages, &text),
            },
            RequestPart::ToolAvailabilityDelta(delta) => self.additions(&delta.tools_added),
            // Answers are there already.
            RequestPart::ToolReturn(_) | RequestPart::CapabilityLoadDelta(_) | RequestPart::Unknown(_) => {}
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        !self.has_blocks() && self.said_apart.is_empty()
    }

    fn has_blocks(&self) -> bool {
        self.draft.messages.len() > self.content
    }

    /// Tools that have come.
    fn additions(&mut self, names: &[String]) {
        if channels(&self.form.profile).additions == Additions::References {
            for name in names {
                if self.draft.standing(name) == Standing::Deferred && self.draft.adds(name) {
                    self.said_apart.push(SaidApart::Addition(name.clone()));
                }
            }
        } else if self.form.hides_schemas {
            let is_there = |name: &&String| self.draft.standing(name) != Standing::Absent;
            let names: Vec<_> = names.iter().filter(is_there).map(String::as_str).collect();
            self.reveal(&names);
        } else if let Some(text) = self.draft.announcement(names) {
            self.application(text);
        }
    }

    /// Shows the model tools that are sent hidden by a search that finds them, before which this message ends; it goes on with
    /// the search's result.
    fn reveal(&mut self, names: &[&str]) {
        if names.is_empty() {
            return;
        }
        self.end();
        let position = self.draft.messages.len().to_string();
        let id = made_up_id(std::iter::once(position.as_str()).chain(names.iter().copied()));
        let (mut call, mut result) = (Vec::new(), Vec::new());
        search::append_reveal(&mut call, &mut result, &id, names);
        call.pop();
        let out = &mut *self.draft.messages;
        open_message(out, "assistant");
        out.append(&mut call);
        out.extend_from_slice(MESSAGE_END);
        self.start = out.len();
        open_message(out, "user");
        self.content = out.len();
        out.append(&mut result);
    }

    /// A system prompt that opens the conversation.
    fn open(&mut self, text: &str) {
        if !self.draft.opening.is_empty() {
            self.draft.opening.extend_from_slice(b"\n\n");
        }
        self.draft.opening.extend_from_slice(text.as_bytes());
    }

    /// What the application says within the conversation.
    fn application(&mut self, text: String) {
        match self.form.profile.system_messages {
            true => self.said_apart.push(SaidApart::Words(text)),
            false => self.tagged(&text),
        }
    }

    fn tagged(&mut self, text: &str) {
        append_text(self.draft.messages, &format!("<system>{text}</system>"));
    }

    fn prompt(&mut self, prompt: &Prompt) -> Result<()> {
        for piece in prompt.pieces() {
            match piece {
                UserContent::Text(text) if text.is_empty() => {}
                UserContent::Text(text) => append_text(self.draft.messages, text),
                UserContent::File(file) => match unreadable(file, &self.form.profile) {
                    Some(what) => return Err(refused(file, &what)),
                    None => append_file(self.draft.messages, file),
                },
                UserContent::CachePoint(point) => self.cache_point(point)?,
                UserContent::Unknown(_) => {}
            }
        }
        Ok(())
    }

    /// Caches up to the last block that there is.
    fn cache_point(&mut self, point: &CachePoint) -> Result<()> {
        let last = match self.has_blocks() {
            true => Some(self.draft.messages.len() - "},".len()),
            false => last_block_end(&self.draft.messages[..self.start]),
        };
        let Some(at) = last else {
            return Err(Error::misuse(
                "a prompt begins with a `CachePoint`, before which there is nothing to cache; put it after something, or \
                 cache what stands before the conversation with `AnthropicModelBuilder::cache_instructions` and \
                 `cache_tools`",
            ));
        };
        self.draft.cache_points.push((at, point.ttl));
        Ok(())
    }

    fn finish(mut self) {
        self.end();
    }

    /// Ends the message, if there is anything in it, and says what stands apart.
    fn end(&mut self) {
        let said_apart = std::mem::take(&mut self.said_apart);
        // A system message must stand after one of the user's.
        let stands_apart = self.has_blocks();
        if !stands_apart {
            said_apart.iter().for_each(|said| match said {
                SaidApart::Words(text) => self.tagged(text),
                SaidApart::Addition(name) => self.reveal(&[name]),
            });
        }
        if !self.has_blocks() {
            return self.draft.messages.truncate(self.start);
        }
        let out = &mut *self.draft.messages;
        out.pop();
        out.extend_from_slice(MESSAGE_END);
        if stands_apart && !said_apart.is_empty() {
            out.extend_from_slice(br#"{"content":["#);
            said_apart.iter().for_each(|said| match said {
                SaidApart::Words(text) => append_text(out, text),
                SaidApart::Addition(name) => search::append_addition(out, name),
            });
            out.pop();
            out.extend_from_slice(SYSTEM_END);
        }
    }
}
