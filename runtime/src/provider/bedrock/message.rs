//! The messages of a conversation as the Converse API wants them (specification: behaviours 13 and 14).

use super::SYSTEM;
use super::content::{Media, Sort, append_text};
use super::decode::{REDACTED, REDACTED_BYTES};
use super::profile::BedrockProfile;
use super::result::{ToolResult, append_result};
use crate::error::{Error, Result};
use crate::json::append;
use crate::message::{CachePoint, Outcome, Prompt, RequestPart, ThinkingPart, ToolContent, UserContent};
use crate::provider::blocks::{BlockForm, MESSAGE_END, answer_of, append_response, open_message};
use crate::provider::feedback::Feedback;
use crate::provider::file::{append_base64, refused};
use crate::provider::name::plain_wire_id;
use crate::provider::transcript::{Draft, MessageForm};
use crate::provider::turn::{SentCall, Turn};

/// Stands where the API wants something said and nobody has said anything.
pub(super) const NOTHING: &str = ".";
/// The words that the API wants beside documents.
const SEE_DOCUMENTS: &str = "(Documents are attached.)";

impl MessageForm for BedrockProfile {
    /// Appends a response, if there is one, and a message of the user's with the answers to its calls and what else the
    /// requests after it say; several, where not all of that can stand together.
    ///
    /// System prompts that open the conversation go into the draft's opening.
    fn write(&self, turn: &Turn<'_>, draft: &mut Draft<'_>) -> Result<()> {
        let calls = turn.calls_named(plain_wire_id);
        let is_first = draft.opens();
        if let Some(response) = turn.response {
            if is_first && !self.leading_response {
                append_said(draft.messages, "user");
            }
            let start = draft.messages.len();
            append_response(draft, self, response, &calls);
            if draft.messages.len() == start && is_first {
                draft.messages.clear();
            }
        }
        let mut user = UserMessage::begin(draft, self, is_first && turn.response.is_none());
        calls.iter().for_each(|call| user.answer(call));
        for part in turn.request_parts() {
            user.part(part)?;
        }
        user.finish();
        Ok(())
    }
}

/// Appends a message that says nothing.
pub(super) fn append_said(out: &mut Vec<u8>, role: &str) {
    open_message(out, role);
    append_text(out, NOTHING);
    out.pop();
    out.extend_from_slice(MESSAGE_END);
}

impl BlockForm for BedrockProfile {
    fn text(&self, out: &mut Vec<u8>, text: &str) {
        if !text.trim().is_empty() {
            append_text(out, text);
        }
    }

    fn thoughts(&self, out: &mut Vec<u8>, part: &ThinkingPart) {
        let signature = part.signature.as_deref().filter(|signature| !signature.is_empty());
        let is_own = self.own_thoughts && part.provider_name.as_deref() == Some(SYSTEM);
        let Some(signature) = signature.filter(|_| is_own) else { return };
        match part.id.as_deref() {
            Some(REDACTED) => append_redacted(out, |out| {
                out.push(b'"');
                append_base64(out, signature.as_bytes());
                out.push(b'"');
            }),
            Some(REDACTED_BYTES) => append_redacted(out, |out| append(out, signature)),
            _ => {
                out.extend_from_slice(br#"{"reasoningContent":{"reasoningText":{"text":"#);
                append(out, &part.content);
                out.extend_from_slice(br#","signature":"#);
                append(out, signature);
                out.extend_from_slice(b"}}},");
            }
        }
    }

    fn call(&self, out: &mut Vec<u8>, id: &str, name: &str, arguments: &str) {
        out.extend_from_slice(br#"{"toolUse":{"toolUseId":"#);
        append(out, id);
        out.extend_from_slice(br#","name":"#);
        append(out, name);
        out.extend_from_slice(br#","input":"#);
        out.extend_from_slice(arguments.as_bytes());
        out.extend_from_slice(b"}},");
    }

    /// What such a result holds is data alone.
    fn result(&self, out: &mut Vec<u8>, id: &str, content: &ToolContent, outcome: Outcome) {
        append_result(out, &ToolResult { id, tool_name: "", content, outcome }, self, &mut 0);
    }
}

fn append_redacted(out: &mut Vec<u8>, append_bytes: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(br#"{"reasoningContent":{"redactedContent":"#);
    append_bytes(out);
    out.extend_from_slice(b"}},");
}

/// A message of the user's that grows.
struct UserMessage<'w, 'd> {
    draft: &'w mut Draft<'d>,
    profile: &'w BedrockProfile,
    /// Whether nothing at all was said before it.
    is_first: bool,
    /// Where it begins, and where its blocks do.
    start: usize,
    content: usize,
    /// Whether it has results of calls, beside which not everything may stand.
    has_results: bool,
    /// Files of results that may not.
    apart: Vec<u8>,
}

impl<'w, 'd> UserMessage<'w, 'd> {
    fn begin(draft: &'w mut Draft<'d>, profile: &'w BedrockProfile, is_first: bool) -> Self {
        let mut message =
            Self { draft, profile, is_first, start: 0, content: 0, has_results: false, apart: Vec::new() };
        message.open();
        message
    }

    fn open(&mut self) {
        self.start = self.draft.messages.len();
        open_message(self.draft.messages, "user");
        self.content = self.draft.messages.len();
        self.has_results = false;
    }

    fn has_blocks(&self) -> bool {
        self.draft.messages.len() > self.content
    }

    /// The answer to a call, and the files of it that may stand beside it.
    fn answer(&mut self, call: &SentCall<'_>) {
        let Draft { messages, documents, .. } = &mut *self.draft;
        let files = answer_of(call, |content, outcome| {
            let result = ToolResult { id: &call.id, tool_name: &call.call.tool_name, content, outcome };
            append_result(messages, &result, self.profile, documents)
        });
        messages.extend_from_slice(&files.beside);
        self.apart.extend_from_slice(&files.apart);
        self.has_results = true;
        self.can_be_cached();
    }

    fn part(&mut self, part: &RequestPart) -> Result<()> {
        if !matches!(part, RequestPart::ToolReturn(_)) {
            self.put_apart();
        }
        match part {
            RequestPart::SystemPrompt(prompt) if self.is_first && !self.has_blocks() => {
                self.profile.text(self.draft.opening, &prompt.content);
            }
            RequestPart::SystemPrompt(prompt) => self.tagged(&prompt.content),
            RequestPart::UserPrompt(prompt) => self.prompt(&prompt.content)?,
            RequestPart::RetryFeedback(feedback) => match Feedback::of(feedback) {
                Feedback::System(text) => self.tagged(&text),
                Feedback::User(text) => self.words(&text),
            },
            RequestPart::ToolAvailabilityDelta(delta) => {
                if let Some(text) = self.draft.announcement(&delta.tools_added) {
                    self.tagged(&text);
                }
            }
            // Answers are there already.
            RequestPart::ToolReturn(_) | RequestPart::CapabilityLoadDelta(_) | RequestPart::Unknown(_) => {}
        }
        Ok(())
    }

    /// What the application says within the conversation.
    fn tagged(&mut self, text: &str) {
        self.words(&format!("<system>{text}</system>"));
    }

    fn words(&mut self, text: &str) {
        self.make_room([Sort::Text]);
        self.text(text);
    }

    fn text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            append_text(self.draft.messages, text);
            self.can_be_cached();
        }
    }

    fn prompt(&mut self, prompt: &Prompt) -> Result<()> {
        let mut sorts = Vec::new();
        for piece in prompt.pieces() {
            match piece {
                UserContent::Text(text) if !text.trim().is_empty() => sorts.push(Sort::Text),
                UserContent::File(file) => {
                    sorts.push(Media::of(file, self.profile).map_err(|what| refused(file, &what))?.sort);
                }
                _ => {}
            }
        }
        self.make_room(sorts.iter().copied());
        if sorts.contains(&Sort::Document) && !sorts.contains(&Sort::Text) {
            self.text(SEE_DOCUMENTS);
        }
        for piece in prompt.pieces() {
            match piece {
                UserContent::Text(text) => self.text(text),
                UserContent::File(file) => {
                    if let Ok(media) = Media::of(file, self.profile) {
                        self.media(&media);
                    }
                }
                UserContent::CachePoint(point) => self.cache_point(point)?,
                UserContent::Unknown(_) => {}
            }
        }
        Ok(())
    }

    fn media(&mut self, media: &Media<'_>) {
        media.append_to(self.draft.messages, self.draft.documents);
        if matches!(media.sort, Sort::Image | Sort::Text) || media.is_pdf() && self.profile.remembers_pdfs() {
            self.can_be_cached();
        }
    }

    /// Says that the request may be cached up to here.
    fn can_be_cached(&mut self) {
        *self.draft.cacheable = Some(self.draft.messages.len() - 1);
    }

    /// Caches up to the last block that can be cached up to: of this message if it has begun, else of what was said before.
    fn cache_point(&mut self, point: &CachePoint) -> Result<()> {
        let begun = if self.has_blocks() { self.content } else { 0 };
        let Some(at) = self.draft.cacheable.filter(|at| *at > begun) else {
            return Err(Error::misuse(
                "a prompt has a `CachePoint` before which there is nothing, or nothing but documents or videos, that can be \
                 cached; put it after some words, or cache what stands before the conversation with \
                 `BedrockModelBuilder::cache_instructions` and `cache_tools`",
            ));
        };
        self.draft.cache_points.push((at, point.ttl));
        Ok(())
    }

    /// Begins another message where not all of this may stand beside results.
    fn make_room(&mut self, sorts: impl IntoIterator<Item = Sort>) {
        let beside = self.profile.beside_results;
        if self.has_results && sorts.into_iter().any(|sort| !beside.has(sort)) {
            self.close();
            // What the same side says twice is put together again, unless the other side has a word.
            append_said(self.draft.messages, "assistant");
            self.open();
        }
    }

    /// Puts the files of results that may not stand beside them into a message of their own.
    fn put_apart(&mut self) {
        if self.apart.is_empty() {
            return;
        }
        self.make_room([Sort::Text, Sort::Image, Sort::Document, Sort::Video]);
        self.draft.messages.append(&mut self.apart);
        self.can_be_cached();
    }

    fn close(&mut self) {
        self.draft.messages.pop();
        self.draft.messages.extend_from_slice(MESSAGE_END);
    }

    fn finish(mut self) {
        self.put_apart();
        if self.has_blocks() {
            self.close();
        } else {
            self.draft.messages.truncate(self.start);
        }
    }
}
