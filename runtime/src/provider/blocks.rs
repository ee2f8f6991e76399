//! Messages that are made of blocks, among them calls and their results (specification: behaviours 13).

use super::name::{plain_wire_id, wire_name};
use super::transcript::Draft;
use super::turn::SentCall;
use crate::discovery::is_of;
use crate::json::append;
use crate::message::{
    BuiltinToolCallPart, BuiltinToolReturnPart, MessageState, ModelResponse, Outcome, ResponsePart, ThinkingPart,
    ToolContent,
};
use crate::repair::INTERRUPTED;
use crate::search::{SEARCH_KIND, SEARCH_TOOL};

/// How a message ends, behind its last block.
pub(crate) const MESSAGE_END: &[u8] = b"]},";

/// How an API writes blocks; each is followed by a comma.
pub(crate) trait BlockForm {
    fn text(&self, out: &mut Vec<u8>, text: &str);

    /// Thoughts, if the provider can tell them for its own.
    fn thoughts(&self, out: &mut Vec<u8>, part: &ThinkingPart);

    /// A call; `arguments` are JSON.
    fn call(&self, out: &mut Vec<u8>, id: &str, name: &str, arguments: &str);

    /// The result of a call.
    fn result(&self, out: &mut Vec<u8>, id: &str, content: &ToolContent, outcome: Outcome);

    /// The result of a search, of the application's or of another provider's; where tools are sent hidden, it is what shows them.
    fn search_result(&self, _: &mut Draft<'_>, out: &mut Vec<u8>, id: &str, content: &ToolContent, outcome: Outcome) {
        self.result(out, id, content, outcome);
    }

    /// The provider whose own searches go back as they came, by [`own_search`](Self::own_search) and
    /// [`own_found`](Self::own_found); all others are told as calls.
    fn searches_as(&self) -> Option<&'static str> {
        None
    }

    /// A search that the provider ran.
    fn own_search(&self, _out: &mut Vec<u8>, _id: &str, _call: &BuiltinToolCallPart) {}

    /// What the provider found.
    fn own_found(&self, _: &mut Draft<'_>, _out: &mut Vec<u8>, _id: &str, _found: &BuiltinToolReturnPart) {}

    /// The provider whose other tools that it runs itself go back as they came, by [`own_call`](Self::own_call) and
    /// [`own_result`](Self::own_result); those of others are left out.
    fn runs_tools_as(&self) -> Option<&'static str> {
        None
    }

    /// A call of a tool that the provider ran.
    fn own_call(&self, _out: &mut Vec<u8>, _id: &str, _call: &BuiltinToolCallPart) {}

    /// What a tool came to that the provider ran.
    fn own_result(&self, _out: &mut Vec<u8>, _id: &str, _result: &BuiltinToolReturnPart) {}

    /// What is said in place of a response of which nothing can be sent, behind what is said before it.
    fn in_place_of_nothing(&self, _before: &[u8]) -> Option<&'static str> {
        None
    }
}

/// Appends a response, as one message or several.
pub(crate) fn append_response(
    draft: &mut Draft<'_>,
    form: &impl BlockForm,
    response: &ModelResponse,
    calls: &[SentCall<'_>],
) {
    let own = form.searches_as().map(|provider| searches_of(provider, response)).unwrap_or_default();
    let native = form.runs_tools_as().map(|provider| native_calls(provider, response)).unwrap_or_default();
    let mut blocks = Vec::new();
    let mut calls = calls.iter();
    let mut has_calls = false;
    let mut searches: Vec<&BuiltinToolCallPart> = Vec::new();
    for part in &response.parts {
        match part {
            ResponsePart::Text(part) if !part.content.is_empty() => form.text(&mut blocks, &part.content),
            ResponsePart::Thinking(part) => form.thoughts(&mut blocks, part),
            ResponsePart::ToolCall(_) => {
                if let Some(SentCall { call, id, .. }) = calls.next() {
                    form.call(&mut blocks, id, &wire_name(&call.tool_name), &call.args.replay_text());
                    has_calls = true;
                }
            }
            ResponsePart::BuiltinToolCall(call) if own.contains(&call.tool_call_id.as_str()) => {
                form.own_search(&mut blocks, &plain_wire_id(&call.tool_call_id, 0), call);
            }
            ResponsePart::BuiltinToolReturn(found) if own.contains(&found.tool_call_id.as_str()) => {
                form.own_found(draft, &mut blocks, &plain_wire_id(&found.tool_call_id, 0), found);
            }
            ResponsePart::BuiltinToolCall(call) if is_of(&call.tool_kind, SEARCH_KIND) => {
                searches.push(call);
            }
            ResponsePart::BuiltinToolReturn(found) if is_of(&found.tool_kind, SEARCH_KIND) => {
                if let Some(index) = searches.iter().position(|call| call.tool_call_id == found.tool_call_id) {
                    // The answers to calls must follow them at once.
                    let before = if has_calls { Vec::new() } else { std::mem::take(&mut blocks) };
                    append_search(draft, form, before, searches.remove(index), found);
                }
            }
            ResponsePart::BuiltinToolCall(call) if native.contains(&call.tool_call_id.as_str()) => {
                form.own_call(&mut blocks, &plain_wire_id(&call.tool_call_id, 0), call);
            }
            ResponsePart::BuiltinToolReturn(result) if native.contains(&result.tool_call_id.as_str()) => {
                form.own_result(&mut blocks, &plain_wire_id(&result.tool_call_id, 0), result);
            }
            _ => {}
        }
    }
    if blocks.is_empty()
        && let Some(text) = form.in_place_of_nothing(draft.messages)
    {
        form.text(&mut blocks, text);
    }
    append_message(draft.messages, "assistant", &blocks);
}

/// The ids of searches that the provider ran itself, and that have their result.
fn searches_of<'r>(provider: &str, response: &'r ModelResponse) -> Vec<&'r str> {
    let is_own =
        |kind: &Option<String>, of: &Option<String>| is_of(kind, SEARCH_KIND) && of.as_deref() == Some(provider);
    let calls = response.parts.iter().filter_map(|part| match part {
        ResponsePart::BuiltinToolCall(call) if is_own(&call.tool_kind, &call.provider_name) => {
            Some(call.tool_call_id.as_str())
        }
        _ => None,
    });
    let has_result = |id: &&str| {
        response.parts.iter().any(|part| match part {
            ResponsePart::BuiltinToolReturn(found) => {
                found.tool_call_id == *id && is_own(&found.tool_kind, &found.provider_name)
            }
            _ => false,
        })
    };
    calls.filter(has_result).collect()
}

/// The ids of the calls of other tools that the provider ran itself: those that have their result, and in a response that it
/// still works on, all.
fn native_calls<'r>(provider: &str, response: &'r ModelResponse) -> Vec<&'r str> {
    let is_own =
        |kind: &Option<String>, of: &Option<String>| !is_of(kind, SEARCH_KIND) && of.as_deref() == Some(provider);
    let results: Vec<_> = response
        .parts
        .iter()
        .filter_map(|part| match part {
            ResponsePart::BuiltinToolReturn(result) if is_own(&result.tool_kind, &result.provider_name) => {
                Some(result.tool_call_id.as_str())
            }
            _ => None,
        })
        .collect();
    let calls = response.parts.iter().filter_map(|part| match part {
        ResponsePart::BuiltinToolCall(call) if is_own(&call.tool_kind, &call.provider_name) => {
            Some(call.tool_call_id.as_str())
        }
        _ => None,
    });
    calls.filter(|id| response.state == MessageState::Suspended || results.contains(id)).collect()
}

/// A search that a provider ran itself, told as a call that was answered.
fn append_search(
    draft: &mut Draft<'_>,
    form: &impl BlockForm,
    mut before: Vec<u8>,
    call: &BuiltinToolCallPart,
    found: &BuiltinToolReturnPart,
) {
    let id = plain_wire_id(&call.tool_call_id, 0);
    form.call(&mut before, &id, SEARCH_TOOL, &call.args.replay_text());
    append_message(draft.messages, "assistant", &before);
    let mut result = Vec::new();
    form.search_result(draft, &mut result, &id, &found.content, found.outcome);
    append_message(draft.messages, "user", &result);
}

/// Appends a message, unless it has no blocks.
fn append_message(out: &mut Vec<u8>, role: &str, blocks: &[u8]) {
    if let Some(blocks) = blocks.strip_suffix(b",") {
        open_message(out, role);
        out.extend_from_slice(blocks);
        out.extend_from_slice(MESSAGE_END);
    }
}

/// Begins a message, whose blocks follow.
pub(crate) fn open_message(out: &mut Vec<u8>, role: &str) {
    out.extend_from_slice(br#"{"role":"#);
    append(out, role);
    out.extend_from_slice(br#","content":["#);
}

/// Hands on the answer to a call; one that nothing answered was interrupted.
pub(crate) fn answer_of<T>(call: &SentCall<'_>, take: impl FnOnce(&ToolContent, Outcome) -> T) -> T {
    match call.answer {
        Some(answer) => take(&answer.content, answer.outcome),
        None => take(&ToolContent::text(INTERRUPTED), Outcome::Interrupted),
    }
}
