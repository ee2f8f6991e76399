//! The messages of a conversation as Chat Completions wants them (specification: behaviours 13 and 14).

use std::borrow::Cow;

use super::ChatForm;
use super::content::{append_file, append_text, unreadable, unsendable};
use super::decode::{TAGGED, THOUGHT_FIELDS};
use super::profile::{ChatProfile, ThoughtForm};
use super::think::tagged;
use crate::error::Result;
use crate::json::append;
use crate::message::{
    BuiltinToolCallPart, BuiltinToolReturnPart, ModelResponse, Prompt, RequestPart, ResponsePart, RetryFeedbackPart,
    ThinkingPart, UserContent,
};
use crate::provider::feedback::Feedback;
use crate::provider::file::refused;
use crate::provider::frame;
use crate::provider::name::{wire_id, wire_name};
use crate::provider::result::{TextResult, text_result};
use crate::provider::transcript::{Draft, MessageForm, Transcript};
use crate::provider::turn::{SentCall, Turn};
use crate::repair::INTERRUPTED;
use crate::search::{SEARCH_KIND, SEARCH_TOOL};

/// Where thoughts go back that all have to go back.
const REASONING_CONTENT: &str = THOUGHT_FIELDS[1];

impl MessageForm for ChatForm {
    /// Appends a response, if there is one, the answers to its calls, and what else the requests after it say.
    ///
    /// Every call gets exactly one answer, in the order of the calls, wherever in the requests it stands.
    fn write(&self, turn: &Turn<'_>, draft: &mut Draft<'_>) -> Result<()> {
        let calls = turn.calls();
        let mut writer = MessageWriter { draft, form: self };
        if let Some(response) = turn.response {
            writer.response(response, &calls);
        }
        let files = writer.answers(&calls);
        for part in turn.request_parts() {
            writer.request_part(part)?;
        }
        if !files.is_empty() {
            writer.user_list(&files);
        }
        Ok(())
    }
}

/// Appends messages, each followed by a comma.
struct MessageWriter<'w, 'd> {
    draft: &'w mut Draft<'d>,
    form: &'w ChatForm,
}

impl MessageWriter<'_, '_> {
    /// Appends the answers to calls; gives back, as parts of a content list, the files that no answer can carry.
    fn answers(&mut self, calls: &[SentCall<'_>]) -> Vec<u8> {
        let mut files = Vec::new();
        for SentCall { call, id, answer } in calls {
            let Some(answer) = answer else {
                self.answer(id, INTERRUPTED);
                continue;
            };
            let TextResult { text, files: apart } =
                text_result(&answer.content, answer.outcome, |file| unreadable(file, &self.form.profile));
            self.answer(id, &text);
            for file in apart {
                append_text(&mut files, &frame::open(&wire_name(&call.tool_name), id, file.identifier()));
                append_file(&mut files, file, true);
                append_text(&mut files, frame::CLOSE);
            }
        }
        files
    }

    fn response(&mut self, response: &ModelResponse, calls: &[SentCall<'_>]) {
        let mut texts: Vec<Cow<'_, str>> = Vec::new();
        let mut thoughts: Vec<(&str, &str)> = Vec::new();
        let mut searches: Vec<&BuiltinToolCallPart> = Vec::new();
        for part in &response.parts {
            match part {
                ResponsePart::Text(part) if !part.content.is_empty() => texts.push(Cow::Borrowed(&part.content)),
                ResponsePart::Thinking(part) if self.form.is_own(part, response) => match self.form.field_of(part) {
                    Some(TAGGED) => texts.push(Cow::Owned(tagged(&part.content))),
                    field => thoughts.extend(field.map(|field| (field, part.content.as_str()))),
                },
                ResponsePart::BuiltinToolCall(call) if call.tool_kind.as_deref() == Some(SEARCH_KIND) => {
                    searches.push(call);
                }
                ResponsePart::BuiltinToolReturn(found) if found.tool_kind.as_deref() == Some(SEARCH_KIND) => {
                    if let Some(index) = searches.iter().position(|call| call.tool_call_id == found.tool_call_id) {
                        self.search(&std::mem::take(&mut texts), searches.remove(index), found);
                    }
                }
                _ => {}
            }
        }
        if !texts.is_empty() || !calls.is_empty() {
            let called = calls
                .iter()
                .map(|SentCall { call, id, .. }| (&**id, wire_name(&call.tool_name), call.args.replay_text()));
            self.assistant(&texts, &thoughts, called);
        }
    }

    /// A search that a provider ran itself, told as a call that was answered.
    fn search(&mut self, texts: &[Cow<'_, str>], call: &BuiltinToolCallPart, found: &BuiltinToolReturnPart) {
        let id = wire_id(&call.tool_call_id, 0);
        let called = [(&*id, Cow::Borrowed(SEARCH_TOOL), call.args.replay_text())];
        self.assistant(texts, &[], called.into_iter());
        let result = text_result(&found.content, found.outcome, |file| unreadable(file, &self.form.profile));
        self.answer(&id, &result.text);
    }

    fn assistant<'c>(
        &mut self,
        texts: &[Cow<'_, str>],
        thoughts: &[(&str, &str)],
        calls: impl Iterator<Item = (&'c str, Cow<'c, str>, Cow<'c, str>)>,
    ) {
        let mut calls = calls.peekable();
        self.draft.messages.extend_from_slice(br#"{"role":"assistant""#);
        for field in THOUGHT_FIELDS {
            let told: Vec<_> = thoughts.iter().filter(|(name, _)| *name == field).map(|(_, text)| *text).collect();
            if !told.is_empty() || (calls.peek().is_some() && self.form.needs(field)) {
                self.field(field, &told.join("\n\n"));
            }
        }
        if !texts.is_empty() {
            self.field("content", &texts.join("\n\n"));
        }
        let mut open = br#","tool_calls":[{"type":"function""#.as_slice();
        let mut close = b"".as_slice();
        for (id, name, arguments) in calls {
            self.draft.messages.extend_from_slice(open);
            self.field("id", id);
            self.draft.messages.extend_from_slice(br#","function":{"name":"#);
            append(self.draft.messages, &*name);
            self.field("arguments", &arguments);
            self.draft.messages.extend_from_slice(b"}}");
            (open, close) = (br#",{"type":"function""#, b"]");
        }
        self.draft.messages.extend_from_slice(close);
        self.draft.messages.extend_from_slice(b"},");
    }

    fn answer(&mut self, id: &str, text: &str) {
        self.draft.messages.extend_from_slice(br#"{"role":"tool""#);
        self.field("tool_call_id", id);
        self.field("content", text);
        self.draft.messages.extend_from_slice(b"},");
    }

    fn request_part(&mut self, part: &RequestPart) -> Result<()> {
        match part {
            RequestPart::SystemPrompt(prompt) => match self.draft.opens() {
                true => self.form.open(self.draft.opening, &prompt.content),
                false => self.message(self.form.role(), &prompt.content),
            },
            RequestPart::UserPrompt(prompt) => self.user(&prompt.content)?,
            RequestPart::RetryFeedback(feedback) => self.feedback(feedback),
            RequestPart::ToolAvailabilityDelta(delta) => self.announce(&delta.tools_added),
            // Answers stand behind their calls already.
            RequestPart::ToolReturn(_) | RequestPart::CapabilityLoadDelta(_) | RequestPart::Unknown(_) => {}
        }
        Ok(())
    }

    fn user(&mut self, prompt: &Prompt) -> Result<()> {
        if let Some(text) = prompt.as_text() {
            self.message("user", text);
            return Ok(());
        }
        let mut list = Vec::new();
        for piece in prompt.pieces() {
            match piece {
                UserContent::Text(text) => append_text(&mut list, text),
                UserContent::File(file) => {
                    if let Some(what) = unsendable(file, &self.form.profile) {
                        return Err(refused(file, &what));
                    }
                    append_file(&mut list, file, false);
                }
                UserContent::CachePoint(_) | UserContent::Unknown(_) => {}
            }
        }
        if !list.is_empty() {
            self.user_list(&list);
        }
        Ok(())
    }

    /// Appends a user message of parts, each followed by a comma.
    fn user_list(&mut self, parts: &[u8]) {
        self.draft.messages.extend_from_slice(br#"{"role":"user","content":["#);
        self.draft.messages.extend_from_slice(parts.strip_suffix(b",").unwrap_or(parts));
        self.draft.messages.extend_from_slice(b"]},");
    }

    fn feedback(&mut self, feedback: &RetryFeedbackPart) {
        match Feedback::of(feedback) {
            Feedback::System(text) => self.message(self.form.role(), &text),
            Feedback::User(text) => self.message("user", &text),
        }
    }

    fn announce(&mut self, names: &[String]) {
        if let Some(text) = self.draft.announcement(names) {
            self.message(self.form.role(), &text);
        }
    }

    fn message(&mut self, role: &str, content: &str) {
        append_message(self.draft.messages, role, content);
    }

    fn field(&mut self, name: &str, text: &str) {
        self.draft.messages.push(b',');
        append(self.draft.messages, name);
        self.draft.messages.push(b':');
        append(self.draft.messages, text);
    }
}

impl ChatForm {
    /// In whose name the application speaks within a conversation.
    fn role(&self) -> &'static str {
        match self.profile.system_messages {
            true => self.profile.system_role.as_str(),
            false => "user",
        }
    }

    /// Appends a system prompt to those that open the conversation: a message, or some of the text of the one there is.
    fn open(&self, opening: &mut Vec<u8>, text: &str) {
        if self.profile.system_messages {
            return append_message(opening, self.profile.system_role.as_str(), text);
        }
        if !opening.is_empty() {
            opening.extend_from_slice(br"\n\n");
        }
        let start = opening.len();
        append(opening, text);
        opening.pop();
        opening.remove(start);
    }

    /// Whether thoughts are this provider's: those that do not say whose they are come from the same as their response.
    fn is_own(&self, part: &ThinkingPart, response: &ModelResponse) -> bool {
        part.provider_name.as_deref().or(response.provider_name.as_deref()) == Some(self.system)
    }

    /// The field in which thoughts go back, which may be that of text.
    fn field_of(&self, part: &ThinkingPart) -> Option<&'static str> {
        if part.content.is_empty() {
            return None;
        }
        match self.profile.thoughts {
            ThoughtForm::Tags => Some(TAGGED),
            ThoughtForm::ReasoningContent => Some(REASONING_CONTENT),
            ThoughtForm::AsTheyCame | ThoughtForm::Details => {
                let fields = THOUGHT_FIELDS.into_iter().chain([TAGGED]);
                fields.into_iter().find(|field| part.id.as_deref() == Some(field))
            }
        }
    }

    /// Whether a response with calls must have a field, thoughts or not.
    fn needs(&self, field: &str) -> bool {
        let ChatProfile { thoughts, reasoning, .. } = &self.profile;
        *thoughts == ThoughtForm::ReasoningContent && field == REASONING_CONTENT && reasoning.is_possible()
    }

    /// Appends the messages as a JSON array; instructions follow the system prompts that open the conversation.
    pub(super) fn append_messages(&self, out: &mut Vec<u8>, sent: &Transcript<Self>, instructions: Option<&str>) {
        let mut opening = Cow::Borrowed(sent.opening());
        if let Some(instructions) = instructions.filter(|text| !text.is_empty()) {
            self.open(opening.to_mut(), instructions);
        }
        out.push(b'[');
        if self.profile.system_messages || opening.is_empty() {
            out.extend_from_slice(&opening);
        } else {
            out.extend_from_slice(br#"{"role":"#);
            append(out, self.profile.system_role.as_str());
            out.extend_from_slice(br#","content":""#);
            out.extend_from_slice(&opening);
            out.extend_from_slice(b"\"},");
        }
        out.extend_from_slice(sent.messages());
        if out.last() == Some(&b',') {
            out.pop();
        }
        out.push(b']');
    }
}

/// Appends a message of one text, and a comma.
fn append_message(out: &mut Vec<u8>, role: &str, content: &str) {
    out.extend_from_slice(br#"{"role":"#);
    append(out, role);
    out.extend_from_slice(br#","content":"#);
    append(out, content);
    out.extend_from_slice(b"},");
}
