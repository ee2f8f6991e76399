//! Conversations as most APIs take them: a list of messages of the system, of a user, of an assistant and of tools
//! (specification: behaviours 13 and 14).

pub(crate) mod content;
mod said;

use std::borrow::Cow;

pub(crate) use said::{Said, SaidCall};

use self::content::append_text;
use super::cache::{CachePlan, CacheSettings, Cacheable};
use super::feedback::Feedback;
use super::file::refused;
use super::frame;
use super::name::{wire_id, wire_name};
use super::result::{TextResult, text_result};
use super::transcript::{Draft, MessageForm, Transcript};
use super::turn::{SentCall, Turn};
use crate::discovery::is_of;
use crate::error::{Error, Result};
use crate::json::append;
use crate::message::{
    BuiltinToolCallPart, BuiltinToolReturnPart, CacheTtl, File, ModelResponse, Prompt, RequestPart, ResponsePart,
    RetryFeedbackPart, UserContent,
};
use crate::repair::INTERRUPTED;
use crate::search::{SEARCH_KIND, SEARCH_TOOL};

/// What is special to an API that takes such conversations. Two values that are equal write the same.
pub(crate) trait Dialogue: Clone + PartialEq {
    /// What an assistant says between the answers to calls and a user, as a message and a comma, where the API takes no user
    /// right behind a tool.
    const INTERJECTION: &'static [u8] = b"";

    /// The provider. Only its own thoughts are sent back.
    fn provider(&self) -> &str;

    /// The role of instructions and system prompts.
    fn system_role(&self) -> &str {
        "system"
    }

    /// Whether messages of the system may stand anywhere; else there is one at the beginning, which says all that is said
    /// there, and what comes later is said in the user's name.
    fn takes_system_messages(&self) -> bool {
        true
    }

    /// The id of a call as it is sent; `earlier` calls of the same response have the same id.
    fn wire_id(id: &str, earlier: usize) -> Cow<'_, str> {
        wire_id(id, earlier)
    }

    /// Appends the message of an assistant, and a comma.
    fn append_assistant(&self, out: &mut Vec<u8>, said: &Said<'_>);

    /// What a file is, such as `images`, if the model cannot read it.
    fn unreadable(&self, file: &File) -> Option<Cow<'static, str>>;

    /// The same for a file of a prompt, which the user chose to send.
    fn unsendable(&self, file: &File) -> Option<Cow<'static, str>> {
        self.unreadable(file)
    }

    /// How a part of a content list says that a request may be cached up to its end, where the API takes that.
    fn append_cache_point(&self) -> Option<fn(&mut Vec<u8>, CacheTtl)> {
        None
    }

    /// Appends a file that the model can read as one part of a content list, and a comma.
    ///
    /// In a frame, what a text file says cannot open or close one.
    fn append_file(&self, out: &mut Vec<u8>, file: &File, in_frame: bool);
}

impl<D: Dialogue> MessageForm for D {
    /// Appends a response, if there is one, the answers to its calls, and what else the requests after it say.
    ///
    /// Every call gets exactly one answer, in the order of the calls, wherever in the requests it stands.
    fn write(&self, turn: &Turn<'_>, draft: &mut Draft<'_>) -> Result<()> {
        let calls = turn.calls_named(D::wire_id);
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
struct MessageWriter<'w, 'd, D> {
    draft: &'w mut Draft<'d>,
    form: &'w D,
}

impl<D: Dialogue> MessageWriter<'_, '_, D> {
    /// Appends the answers to calls; gives back, as parts of a content list, the files that no answer can carry.
    fn answers(&mut self, calls: &[SentCall<'_>]) -> Vec<u8> {
        let mut files = Vec::new();
        for SentCall { call, id, answer } in calls {
            let Some(answer) = answer else {
                self.answer(id, INTERRUPTED);
                continue;
            };
            let TextResult { text, files: apart } =
                text_result(&answer.content, answer.outcome, |file| self.form.unreadable(file));
            self.answer(id, &text);
            for file in apart {
                append_text(&mut files, &frame::open(&wire_name(&call.tool_name), id, file.identifier()));
                self.form.append_file(&mut files, file, true);
                append_text(&mut files, frame::CLOSE);
            }
        }
        files
    }

    fn response(&mut self, response: &ModelResponse, calls: &[SentCall<'_>]) {
        let mut said = Said::of(response);
        let mut searches: Vec<&BuiltinToolCallPart> = Vec::new();
        for part in &response.parts {
            match part {
                ResponsePart::Text(part) if !part.content.is_empty() => said.texts.push(&part.content),
                ResponsePart::Thinking(part) if said.is_of(self.form.provider(), part) => said.thoughts.push(part),
                ResponsePart::BuiltinToolCall(call) if is_of(&call.tool_kind, SEARCH_KIND) => {
                    searches.push(call);
                }
                ResponsePart::BuiltinToolReturn(found) if is_of(&found.tool_kind, SEARCH_KIND) => {
                    if let Some(index) = searches.iter().position(|call| call.tool_call_id == found.tool_call_id) {
                        self.search(std::mem::take(&mut said.texts), searches.remove(index), found);
                    }
                }
                _ => {}
            }
        }
        if !said.texts.is_empty() || !calls.is_empty() {
            said.calls = calls.iter().map(|sent| SaidCall::of(sent)).collect();
            self.form.append_assistant(self.draft.messages, &said);
        }
    }

    /// A search that a provider ran itself, told as a call that was answered.
    fn search(&mut self, texts: Vec<&str>, call: &BuiltinToolCallPart, found: &BuiltinToolReturnPart) {
        let id = D::wire_id(&call.tool_call_id, 0);
        let called = SaidCall { id: &id, name: SEARCH_TOOL.into(), arguments: call.args.replay_text() };
        self.form.append_assistant(self.draft.messages, &Said { texts, calls: vec![called], ..Said::default() });
        let result = text_result(&found.content, found.outcome, |file| self.form.unreadable(file));
        self.answer(&id, &result.text);
    }

    fn answer(&mut self, id: &str, text: &str) {
        let out = &mut *self.draft.messages;
        out.extend_from_slice(br#"{"tool_call_id":"#);
        append(out, id);
        out.extend_from_slice(br#","content":"#);
        append(out, text);
        out.extend_from_slice(ANSWER_END);
    }

    fn request_part(&mut self, part: &RequestPart) -> Result<()> {
        match part {
            RequestPart::SystemPrompt(prompt) => match self.draft.opens() {
                true => append_opening(self.form, self.draft.opening, &prompt.content),
                false => self.system(&prompt.content),
            },
            RequestPart::UserPrompt(prompt) => self.user(&prompt.content)?,
            RequestPart::RetryFeedback(feedback) => self.feedback(feedback),
            RequestPart::ToolAvailabilityDelta(delta) => {
                if let Some(text) = self.draft.announcement(&delta.tools_added) {
                    self.system(&text);
                }
            }
            // Answers stand behind their calls already.
            RequestPart::ToolReturn(_) | RequestPart::CapabilityLoadDelta(_) | RequestPart::Unknown(_) => {}
        }
        Ok(())
    }

    fn user(&mut self, prompt: &Prompt) -> Result<()> {
        if let Some(text) = prompt.as_text() {
            self.user_text(text);
            return Ok(());
        }
        let mut list = Vec::new();
        let mut places = Vec::new();
        for piece in prompt.pieces() {
            match piece {
                UserContent::Text(text) => append_text(&mut list, text),
                UserContent::File(file) => {
                    if let Some(what) = self.form.unsendable(file) {
                        return Err(refused(file, &what));
                    }
                    self.form.append_file(&mut list, file, false);
                }
                UserContent::CachePoint(point) if self.form.append_cache_point().is_some() => {
                    places.push((self.cache_place(&list)?, point.ttl));
                }
                UserContent::CachePoint(_) | UserContent::Unknown(_) => {}
            }
        }
        if !list.is_empty() {
            let start = self.user_list(&list);
            let places = places.into_iter().filter_map(|(at, ttl)| Some((start + at?, ttl)));
            self.draft.cache_points.extend(places);
        }
        Ok(())
    }

    /// Within the last part of a content list. A prompt that begins with a cache point has none: the API takes them in
    /// prompts alone, and what is before this one is sent already.
    fn cache_place(&self, list: &[u8]) -> Result<Option<usize>> {
        match list.strip_suffix(b"},") {
            Some(list) => Ok(Some(list.len())),
            None if self.draft.messages.is_empty() => Err(Error::misuse(
                "a prompt begins with a `CachePoint`, before which there is nothing to cache; put it after something",
            )),
            None => Ok(None),
        }
    }

    /// Appends a user message of parts, each followed by a comma; gives back where they begin.
    fn user_list(&mut self, parts: &[u8]) -> usize {
        self.interject();
        self.draft.messages.extend_from_slice(br#"{"role":"user","content":["#);
        let start = self.draft.messages.len();
        self.draft.messages.extend_from_slice(parts.strip_suffix(b",").unwrap_or(parts));
        self.draft.messages.extend_from_slice(b"]},");
        start
    }

    fn user_text(&mut self, text: &str) {
        self.interject();
        append_message(self.draft.messages, "user", text);
    }

    /// Lets the assistant speak where a user would come right behind a tool. A string's quotes are escaped, so that only an
    /// answer ends like one.
    fn interject(&mut self) {
        if self.draft.messages.ends_with(ANSWER_END) {
            self.draft.messages.extend_from_slice(D::INTERJECTION);
        }
    }

    fn feedback(&mut self, feedback: &RetryFeedbackPart) {
        match Feedback::of(feedback) {
            Feedback::System(text) => self.system(&text),
            Feedback::User(text) => self.user_text(&text),
        }
    }

    fn system(&mut self, text: &str) {
        match self.form.takes_system_messages() {
            true => append_message(self.draft.messages, self.form.system_role(), text),
            false => self.user_text(text),
        }
    }
}

/// How an answer to a call ends.
const ANSWER_END: &[u8] = br#","role":"tool"},"#;

/// Appends the messages as a JSON array; instructions follow the system prompts that open the conversation.
pub(crate) fn append_messages<D: Dialogue>(
    out: &mut Vec<u8>,
    sent: &Transcript<D>,
    form: &D,
    instructions: Option<&str>,
) {
    out.push(b'[');
    out.extend_from_slice(sent.opening());
    if let Some(instructions) = instructions.filter(|text| !text.is_empty()) {
        append_opening(form, out, instructions);
    }
    match form.append_cache_point() {
        Some(append_place) if !sent.cache_points().is_empty() => {
            let points = sent.cache_points();
            let request = Cacheable { has_tools: false, has_system: false, end: None, points };
            let plan = CachePlan::of(CacheSettings::default(), &request);
            plan.append_messages(out, sent.messages(), append_place);
        }
        _ => out.extend_from_slice(sent.messages()),
    }
    if out.last() == Some(&b',') {
        out.pop();
    }
    out.push(b']');
}

/// Appends what the system says at the beginning: a message, or some more of the one that is there.
fn append_opening<D: Dialogue>(form: &D, out: &mut Vec<u8>, text: &str) {
    const END: &[u8] = br#""},"#;
    if form.takes_system_messages() || !out.ends_with(END) {
        return append_message(out, form.system_role(), text);
    }
    out.truncate(out.len() - END.len());
    out.extend_from_slice(br"\n\n");
    let start = out.len();
    append(out, text);
    // The text goes on.
    out.remove(start);
    out.extend_from_slice(b"},");
}

/// Appends a message of one text, and a comma.
fn append_message(out: &mut Vec<u8>, role: &str, content: &str) {
    out.extend_from_slice(br#"{"role":"#);
    append(out, role);
    out.extend_from_slice(br#","content":"#);
    append(out, content);
    out.extend_from_slice(b"},");
}
