//! The messages of a conversation as the Messages API wants them (specification: behaviours 13 and 14).

use super::SYSTEM;
use super::cache::{SYSTEM_END, last_block_end};
use super::content::{append_file, append_text, unreadable};
use super::decode::REDACTED;
use super::result::append_result;
use crate::error::{Error, Result};
use crate::json::append;
use crate::message::{CachePoint, Outcome, Prompt, RequestPart, ThinkingPart, ToolContent, UserContent};
use crate::provider::blocks::{BlockForm, MESSAGE_END, answer_of, append_response, open_message};
use crate::provider::claude::AnthropicProfile;
use crate::provider::feedback::Feedback;
use crate::provider::file::refused;
use crate::provider::name::plain_wire_id;
use crate::provider::transcript::{Draft, MessageForm};
use crate::provider::turn::Turn;

/// What stands for a response of which nothing can be sent, where there must be one.
const NOTHING: &str = "(nothing)";

impl MessageForm for AnthropicProfile {
    /// Appends a response, if there is one, and a message of the user's with the answers to its calls and what else the
    /// requests after it say.
    ///
    /// The words of system prompts that open the conversation go into the draft's opening, as they are.
    fn write(&self, turn: &Turn<'_>, draft: &mut Draft<'_>) -> Result<()> {
        let calls = turn.calls_named(plain_wire_id);
        if let Some(response) = turn.response {
            append_response(draft.messages, self, response, &calls);
        }
        let mut user = UserMessage::begin(draft, self);
        for call in &calls {
            answer_of(call, |content, outcome| self.result(user.draft.messages, &call.id, content, outcome));
        }
        for part in turn.request_parts() {
            user.part(part)?;
        }
        user.finish();
        Ok(())
    }
}

impl BlockForm for AnthropicProfile {
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
        append_result(out, id, content, outcome, self);
    }

    /// A system message must stand before a response.
    fn in_place_of_nothing(&self, before: &[u8]) -> Option<&'static str> {
        before.ends_with(SYSTEM_END).then_some(NOTHING)
    }
}

/// A message of the user's that grows.
struct UserMessage<'w, 'd> {
    draft: &'w mut Draft<'d>,
    profile: &'w AnthropicProfile,
    /// Whether nothing at all was said before it.
    is_first: bool,
    /// Where it begins, and where its blocks do.
    start: usize,
    content: usize,
    /// What the application says in a message of its own, after this one.
    said_apart: Vec<String>,
}

impl<'w, 'd> UserMessage<'w, 'd> {
    fn begin(draft: &'w mut Draft<'d>, profile: &'w AnthropicProfile) -> Self {
        let (is_first, start) = (draft.opens(), draft.messages.len());
        open_message(draft.messages, "user");
        let content = draft.messages.len();
        Self { draft, profile, is_first, start, content, said_apart: Vec::new() }
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
            RequestPart::ToolAvailabilityDelta(delta) => {
                if let Some(text) = self.draft.announcement(&delta.tools_added) {
                    self.application(text);
                }
            }
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

    /// A system prompt that opens the conversation.
    fn open(&mut self, text: &str) {
        if !self.draft.opening.is_empty() {
            self.draft.opening.extend_from_slice(b"\n\n");
        }
        self.draft.opening.extend_from_slice(text.as_bytes());
    }

    /// What the application says within the conversation.
    fn application(&mut self, text: String) {
        match self.profile.system_messages {
            true => self.said_apart.push(text),
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
                UserContent::File(file) => match unreadable(file, self.profile) {
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
        let said_apart = std::mem::take(&mut self.said_apart);
        // A system message must stand after one of the user's.
        let stands_apart = self.has_blocks();
        if !stands_apart {
            said_apart.iter().for_each(|text| self.tagged(text));
        }
        if !self.has_blocks() {
            return self.draft.messages.truncate(self.start);
        }
        let out = &mut *self.draft.messages;
        out.pop();
        out.extend_from_slice(MESSAGE_END);
        if stands_apart && !said_apart.is_empty() {
            out.extend_from_slice(br#"{"content":["#);
            said_apart.iter().for_each(|text| append_text(out, text));
            out.pop();
            out.extend_from_slice(SYSTEM_END);
        }
    }
}
