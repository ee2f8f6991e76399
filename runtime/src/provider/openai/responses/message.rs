//! The conversation as a list of items, as the Responses API wants it (specification: behaviours 13 and 14).

use std::borrow::Cow;

use super::content::{append_file, append_text, unreadable};
use super::items::{append_field, append_response, append_text_output};
use super::profile::OpenAiResponsesProfile;
use super::reveal::{Revealable, append_additions, append_found, append_reveal, is_found};
use crate::discovery::{found, search_result};
use crate::error::Result;
use crate::json::append;
use crate::message::{ModelResponse, Outcome, Prompt, RequestPart, ToolContent, ToolReturnPart, UserContent};
use crate::provider::availability::{Additions, Standing};
use crate::provider::body::append_list;
use crate::provider::feedback::Feedback;
use crate::provider::file::refused;
use crate::provider::result::{ResultPiece, result_pieces};
use crate::provider::transcript::{Draft, MessageForm};
use crate::provider::turn::{SentCall, Turn};
use crate::repair::INTERRUPTED;

/// How a conversation is told to a model at one server.
#[derive(Clone, PartialEq)]
pub(super) struct ItemForm {
    /// The provider's name in messages.
    pub(super) system: &'static str,
    pub(super) profile: OpenAiResponsesProfile,
    /// The server's URL, as responses of it have it.
    pub(super) server: String,
    /// How the tools of the request concern it.
    pub(super) revealable: Revealable,
}

impl ItemForm {
    /// Whether a response came from this server, as far as it says where it came from.
    fn is_source_of(&self, response: &ModelResponse) -> bool {
        let source =
            response.provider_url.as_deref().filter(|_| response.provider_name.as_deref() == Some(self.system));
        source.is_none_or(|url| url.trim_end_matches('/') == self.server.trim_end_matches('/'))
    }

    /// Whether a search of the application's is told as a search. One that failed is a call: only that has words on why.
    pub(super) fn tells_as_search(&self, sent: &SentCall<'_>) -> bool {
        self.found_by(sent).is_some()
    }

    /// What the call has found, where it is told as a search.
    fn found_by<'t>(&self, sent: &SentCall<'t>) -> Option<Cow<'t, ToolContent>> {
        let answer = sent.answer.filter(|answer| self.revealable.has_search && answer.outcome == Outcome::Success)?;
        search_result(answer).filter(|content| matches!(**content, ToolContent::Json(_)))
    }

    /// Whether the conversation can add tools, with their definitions.
    pub(super) fn adds_definitions(&self) -> bool {
        self.profile.channels().additions == Additions::Definitions
    }
}

impl MessageForm for ItemForm {
    /// Appends the items of a response, if there is one, the outputs of its calls, and what else the requests after it say.
    ///
    /// Every call gets exactly one output, in the order of the calls, wherever in the requests it stands.
    fn write(&self, turn: &Turn<'_>, draft: &mut Draft<'_>) -> Result<()> {
        let calls = turn.calls();
        if let Some(response) = turn.response {
            append_response(draft, response, &calls, self, self.is_source_of(response));
        }
        for call in &calls {
            match call.answer {
                Some(_) if let Some(found) = self.found_by(call) => append_found(draft, &call.id, &found, self),
                Some(answer) => {
                    append_output(draft.messages, &call.id, answer, &self.profile);
                    if self.adds_definitions() && is_found(answer) {
                        append_additions(draft, &found(&answer.content), self);
                    }
                }
                None => append_text_output(draft.messages, &call.id, INTERRUPTED),
            }
        }
        turn.request_parts().try_for_each(|part| append_request_part(draft, part, self))
    }
}

/// Appends what a call came to, files in their places.
fn append_output(out: &mut Vec<u8>, call_id: &str, answer: &ToolReturnPart, profile: &OpenAiResponsesProfile) {
    let pieces = result_pieces(&answer.content, answer.outcome, false, |file| unreadable(file, profile));
    if let [ResultPiece::Text(text)] = pieces.as_slice() {
        return append_text_output(out, call_id, text);
    }
    let mut list = Vec::new();
    for piece in pieces {
        match piece {
            ResultPiece::Text(text) => append_text(&mut list, &text),
            ResultPiece::File(file) => append_file(&mut list, file, profile),
        }
    }
    out.extend_from_slice(br#"{"type":"function_call_output""#);
    append_field(out, "call_id", call_id);
    out.extend_from_slice(br#","output":"#);
    append_list(out, &list);
    out.extend_from_slice(b"},");
}

fn append_request_part(draft: &mut Draft<'_>, part: &RequestPart, form: &ItemForm) -> Result<()> {
    let profile = &form.profile;
    let system = profile.system_role.as_str();
    match part {
        RequestPart::SystemPrompt(prompt) => append_message(draft.messages, system, &prompt.content),
        RequestPart::UserPrompt(prompt) => append_prompt(draft.messages, &prompt.content, profile)?,
        RequestPart::RetryFeedback(feedback) => match Feedback::of(feedback) {
            Feedback::System(text) => append_message(draft.messages, system, &text),
            Feedback::User(text) => append_message(draft.messages, "user", &text),
        },
        RequestPart::ToolAvailabilityDelta(delta) if form.adds_definitions() => {
            append_additions(draft, &delta.tools_added, form);
        }
        RequestPart::ToolAvailabilityDelta(delta) => {
            let is_hidden = |name: &String| draft.standing(name) == Standing::Deferred;
            let (hidden, seen): (Vec<_>, Vec<_>) = delta.tools_added.iter().cloned().partition(is_hidden);
            if !hidden.is_empty() {
                append_reveal(draft, &hidden, form);
            }
            if let Some(text) = draft.announcement(&seen) {
                append_message(draft.messages, system, &text);
            }
        }
        // Answers stand behind their calls already.
        RequestPart::ToolReturn(_) | RequestPart::CapabilityLoadDelta(_) | RequestPart::Unknown(_) => {}
    }
    Ok(())
}

fn append_prompt(out: &mut Vec<u8>, prompt: &Prompt, profile: &OpenAiResponsesProfile) -> Result<()> {
    if let Some(text) = prompt.as_text() {
        append_message(out, "user", text);
        return Ok(());
    }
    let mut list = Vec::new();
    for piece in prompt.pieces() {
        match piece {
            UserContent::Text(text) => append_text(&mut list, text),
            UserContent::File(file) => {
                if let Some(what) = unreadable(file, profile) {
                    return Err(refused(file, &what));
                }
                append_file(&mut list, file, profile);
            }
            UserContent::CachePoint(_) | UserContent::Unknown(_) => {}
        }
    }
    if !list.is_empty() {
        out.extend_from_slice(br#"{"role":"user","content":"#);
        append_list(out, &list);
        out.extend_from_slice(b"},");
    }
    Ok(())
}

/// Appends a message of one text, and a comma.
fn append_message(out: &mut Vec<u8>, role: &str, content: &str) {
    out.extend_from_slice(br#"{"role":"#);
    append(out, role);
    append_field(out, "content", content);
    out.extend_from_slice(b"},");
}
