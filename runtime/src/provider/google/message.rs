//! The messages of a conversation as the Gemini API wants them (specification: behaviours 13 and 14).

use super::content::{append_file, append_framed, append_system, append_text};
use super::function_response::append_function_response;
use super::profile::GoogleProfile;
use super::replay::append_response;
use super::tools::NAMES;
use crate::error::Result;
use crate::message::{Prompt, RequestPart, UserContent};
use crate::provider::feedback::Feedback;
use crate::provider::name::NameRule;
use crate::provider::transcript::{Draft, MessageForm};
use crate::provider::turn::{SentCall, Turn};

/// A message of the user that says nothing: every conversation has to begin with one of the user's.
pub(super) const EMPTY_MESSAGE: &[u8] = br#"{"role":"user","parts":[{"text":""}]},"#;

impl MessageForm for GoogleProfile {
    const NAMES: NameRule = NAMES;

    /// Appends a response, if there is one, the answers to its calls, and what else the requests after it say.
    ///
    /// Answers stand in a message of their own: the API takes what is beside them for the model's words.
    fn write(&self, turn: &Turn<'_>, draft: &mut Draft<'_>) -> Result<()> {
        let calls = turn.calls();
        if let Some(response) = turn.response {
            if draft.opens() {
                draft.messages.extend_from_slice(EMPTY_MESSAGE);
            }
            append_response(draft.messages, response, &calls, self);
        }
        let mut answers = Vec::new();
        let mut parts = Vec::new();
        for SentCall { call, id, answer } in &calls {
            let name = NAMES.wire(&call.tool_name);
            let answer = answer.map(|answer| (&answer.content, answer.outcome));
            for file in append_function_response(&mut answers, (&name, id), answer, self) {
                append_framed(&mut parts, file, &name, id);
            }
        }
        append_message(draft.messages, "user", &answers);
        for part in turn.request_parts() {
            append_request_part(&mut parts, part, draft);
        }
        append_message(draft.messages, "user", &parts);
        Ok(())
    }
}

/// Appends what a request says besides answers; system prompts that open the conversation have a place of their own.
fn append_request_part(parts: &mut Vec<u8>, part: &RequestPart, draft: &mut Draft<'_>) {
    match part {
        RequestPart::SystemPrompt(prompt) if draft.opens() && parts.is_empty() => {
            append_text(draft.opening, &prompt.content);
        }
        RequestPart::SystemPrompt(prompt) => append_system(parts, &prompt.content),
        RequestPart::UserPrompt(prompt) => append_prompt(parts, &prompt.content),
        RequestPart::RetryFeedback(feedback) => match Feedback::of(feedback) {
            Feedback::System(text) => append_system(parts, &text),
            Feedback::User(text) => append_text(parts, &text),
        },
        RequestPart::ToolAvailabilityDelta(delta) => {
            if let Some(text) = draft.announcement(&delta.tools_added) {
                append_system(parts, &text);
            }
        }
        // Answers stand behind their calls already.
        RequestPart::ToolReturn(_) | RequestPart::CapabilityLoadDelta(_) | RequestPart::Unknown(_) => {}
    }
}

fn append_prompt(parts: &mut Vec<u8>, prompt: &Prompt) {
    for piece in prompt.pieces() {
        match piece {
            UserContent::Text(text) => append_text(parts, text),
            UserContent::File(file) => append_file(parts, file),
            UserContent::CachePoint(_) | UserContent::Unknown(_) => {}
        }
    }
}

/// Appends a message of parts that each are followed by a comma, and a comma; nothing without parts.
pub(super) fn append_message(out: &mut Vec<u8>, role: &str, parts: &[u8]) {
    let Some(parts) = parts.strip_suffix(b",") else { return };
    out.extend_from_slice(br#"{"role":""#);
    out.extend_from_slice(role.as_bytes());
    out.extend_from_slice(br#"","parts":["#);
    out.extend_from_slice(parts);
    out.extend_from_slice(b"]},");
}
