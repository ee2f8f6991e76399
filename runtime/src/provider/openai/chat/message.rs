//! The messages of a conversation as Chat Completions wants them (specification: behaviours 13 and 14).

use std::borrow::Cow;
use std::sync::Arc;

use super::content::{append_file, append_text, unreadable, unsendable};
use super::profile::OpenAiChatProfile;
use crate::error::{Error, Result};
use crate::json::append;
use crate::message::{
    BuiltinToolCallPart, BuiltinToolReturnPart, Message, ModelResponse, Prompt, RequestPart, ResponsePart, RetryCause,
    RetryFeedbackPart, ToolCallPart, ToolReturnPart, UserContent,
};
use crate::provider::frame;
use crate::provider::name::{wire_id, wire_name};
use crate::provider::openai::SYSTEM;
use crate::provider::result::{TextResult, text_result};
use crate::repair::INTERRUPTED;

/// The kind of parts that search for tools, and the tool by which any model searches.
const SEARCH_KIND: &str = "tool-search";
const SEARCH_TOOL: &str = "search_tools";
/// Where servers put thoughts, which go back to where they came from.
pub(super) const THOUGHT_FIELDS: [&str; 2] = ["reasoning", "reasoning_content"];

/// Appends messages, each followed by a comma.
pub(super) struct MessageWriter<'w> {
    pub(super) out: &'w mut Vec<u8>,
    pub(super) profile: &'w OpenAiChatProfile,
    /// Whether the model has a tool in this request.
    pub(super) is_offered: &'w dyn Fn(&str) -> bool,
    /// The names that were looked up, with the answers.
    pub(super) announced: &'w mut Vec<(String, bool)>,
    /// The end of the system prompts that open the conversation.
    pub(super) lead: &'w mut usize,
}

/// A call as it was sent.
struct SentCall<'a> {
    call: &'a ToolCallPart,
    id: Cow<'a, str>,
}

impl MessageWriter<'_> {
    /// Appends a response, if there is one, the answers to its calls, and what else the requests after it say.
    ///
    /// Every call gets exactly one answer, in the order of the calls, wherever in the requests it stands.
    ///
    /// # Errors
    ///
    /// Misuse, when a prompt has a file that the model cannot read.
    pub(super) fn unit(&mut self, response: Option<&ModelResponse>, requests: &[Arc<Message>]) -> Result<()> {
        let calls = response.map(|response| self.response(response)).unwrap_or_default();
        let parts = || {
            requests.iter().flat_map(|message| match &**message {
                Message::Request(request) => request.parts.as_slice(),
                Message::Response(_) => &[],
            })
        };
        let files = self.answers(&calls, parts());
        for part in parts() {
            self.request_part(part)?;
        }
        if !files.is_empty() {
            self.user_list(&files);
        }
        Ok(())
    }

    /// Appends the answers to calls; gives back, as parts of a content list, the files that no answer can carry.
    fn answers<'p>(&mut self, calls: &[SentCall<'_>], parts: impl Iterator<Item = &'p RequestPart>) -> Vec<u8> {
        let mut returns: Vec<Option<&ToolReturnPart>> = parts
            .filter_map(|part| match part {
                RequestPart::ToolReturn(answer) => Some(Some(answer)),
                _ => None,
            })
            .collect();
        let mut files = Vec::new();
        for SentCall { call, id } in calls {
            let answers = |answer: &&mut Option<&ToolReturnPart>| {
                answer.as_ref().is_some_and(|answer| answer.tool_call_id == call.tool_call_id)
            };
            let Some(answer) = returns.iter_mut().find(answers).and_then(Option::take) else {
                self.answer(id, INTERRUPTED);
                continue;
            };
            let TextResult { text, files: apart } =
                text_result(&answer.content, answer.outcome, |file| unreadable(file, self.profile));
            self.answer(id, &text);
            for file in apart {
                append_text(&mut files, &frame::open(&wire_name(&call.tool_name), id, file.identifier()));
                append_file(&mut files, file, true);
                append_text(&mut files, frame::CLOSE);
            }
        }
        files
    }

    fn response<'r>(&mut self, response: &'r ModelResponse) -> Vec<SentCall<'r>> {
        let mut texts: Vec<&str> = Vec::new();
        let mut thoughts: Vec<(&str, &str)> = Vec::new();
        let mut calls: Vec<SentCall<'_>> = Vec::new();
        let mut searches: Vec<&BuiltinToolCallPart> = Vec::new();
        for part in &response.parts {
            match part {
                ResponsePart::Text(part) if !part.content.is_empty() => texts.push(&part.content),
                ResponsePart::Thinking(part) if part.provider_name.as_deref() == Some(SYSTEM) => {
                    thoughts.extend(part.id.as_deref().map(|field| (field, part.content.as_str())));
                }
                ResponsePart::ToolCall(call) => {
                    let earlier = calls.iter().filter(|sent| sent.call.tool_call_id == call.tool_call_id).count();
                    calls.push(SentCall { call, id: wire_id(&call.tool_call_id, earlier) });
                }
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
            let called =
                calls.iter().map(|SentCall { call, id }| (&**id, wire_name(&call.tool_name), call.args.replay_text()));
            self.assistant(&texts, &thoughts, called);
        }
        calls
    }

    /// A search that a provider ran itself, told as a call that was answered.
    fn search(&mut self, texts: &[&str], call: &BuiltinToolCallPart, found: &BuiltinToolReturnPart) {
        let id = wire_id(&call.tool_call_id, 0);
        let called = [(&*id, Cow::Borrowed(SEARCH_TOOL), call.args.replay_text())];
        self.assistant(texts, &[], called.into_iter());
        let result = text_result(&found.content, found.outcome, |file| unreadable(file, self.profile));
        self.answer(&id, &result.text);
    }

    fn assistant<'c>(
        &mut self,
        texts: &[&str],
        thoughts: &[(&str, &str)],
        calls: impl Iterator<Item = (&'c str, Cow<'c, str>, Cow<'c, str>)>,
    ) {
        self.out.extend_from_slice(br#"{"role":"assistant""#);
        for field in THOUGHT_FIELDS {
            let told: Vec<_> = thoughts.iter().filter(|(name, _)| *name == field).map(|(_, text)| *text).collect();
            if !told.is_empty() {
                self.field(field, &told.join("\n\n"));
            }
        }
        if !texts.is_empty() {
            self.field("content", &texts.join("\n\n"));
        }
        let mut open = br#","tool_calls":[{"type":"function""#.as_slice();
        let mut close = b"".as_slice();
        for (id, name, arguments) in calls {
            self.out.extend_from_slice(open);
            self.field("id", id);
            self.out.extend_from_slice(br#","function":{"name":"#);
            append(self.out, &*name);
            self.field("arguments", &arguments);
            self.out.extend_from_slice(b"}}");
            (open, close) = (br#",{"type":"function""#, b"]");
        }
        self.out.extend_from_slice(close);
        self.out.extend_from_slice(b"},");
    }

    fn answer(&mut self, id: &str, text: &str) {
        self.out.extend_from_slice(br#"{"role":"tool""#);
        self.field("tool_call_id", id);
        self.field("content", text);
        self.out.extend_from_slice(b"},");
    }

    fn request_part(&mut self, part: &RequestPart) -> Result<()> {
        match part {
            RequestPart::SystemPrompt(prompt) => {
                let leads = self.out.len() == *self.lead;
                self.message(self.profile.system_role.as_str(), &prompt.content);
                if leads {
                    *self.lead = self.out.len();
                }
            }
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
                    if let Some(what) = unsendable(file, self.profile) {
                        return Err(Error::misuse(format!(
                            "a prompt has the file `{}`, but the model cannot read {what}; leave it out, send it in \
                             another form, or ask another model",
                            file.identifier()
                        )));
                    }
                    append_file(&mut list, file, false);
                }
                UserContent::Unknown(_) => {}
            }
        }
        if !list.is_empty() {
            self.user_list(&list);
        }
        Ok(())
    }

    /// Appends a user message of parts, each followed by a comma.
    fn user_list(&mut self, parts: &[u8]) {
        self.out.extend_from_slice(br#"{"role":"user","content":["#);
        self.out.extend_from_slice(parts.strip_suffix(b",").unwrap_or(parts));
        self.out.extend_from_slice(b"]},");
    }

    /// Feedback on a response that no call can carry. It may quote the model, so only what is the library's own is said
    /// with authority.
    fn feedback(&mut self, feedback: &RetryFeedbackPart) {
        let text = feedback.content.as_str().unwrap_or_else(|| feedback.content.text().to_owned());
        if feedback.retry.as_ref().is_some_and(|retry| retry.cause == RetryCause::NoOutput) {
            return self.message(self.profile.system_role.as_str(), &text);
        }
        self.message(
            "user",
            &format!("Automatic feedback, not from the user: your last response was not accepted.\n{text}"),
        );
    }

    /// Says which tools have appeared, as far as the model has them now. Their names are as they are sent, so that no name
    /// can say anything else.
    fn announce(&mut self, names: &[String]) {
        let mut told = Vec::new();
        for name in names {
            let offered = (self.is_offered)(name);
            if !self.announced.iter().any(|(known, _)| known == name) {
                self.announced.push((name.clone(), offered));
            }
            if offered {
                told.push(format!("`{}`", wire_name(name)));
            }
        }
        if !told.is_empty() {
            let text = format!("The following tool(s) are now available: {}", told.join(", "));
            self.message(self.profile.system_role.as_str(), &text);
        }
    }

    fn message(&mut self, role: &str, content: &str) {
        append_message(self.out, role, content);
    }

    fn field(&mut self, name: &str, text: &str) {
        self.out.push(b',');
        append(self.out, name);
        self.out.push(b':');
        append(self.out, text);
    }
}

/// Appends a message of one text, and a comma.
pub(super) fn append_message(out: &mut Vec<u8>, role: &str, content: &str) {
    out.extend_from_slice(br#"{"role":"#);
    append(out, role);
    out.extend_from_slice(br#","content":"#);
    append(out, content);
    out.extend_from_slice(b"},");
}
