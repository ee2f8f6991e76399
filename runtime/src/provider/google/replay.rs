//! What a model said, told to it again.

use std::borrow::Cow;

use serde::Deserialize;

use super::SYSTEM;
use super::function_response::append_function_response;
use super::message::append_message;
use super::native;
use super::profile::GoogleProfile;
use super::tools::NAMES;
use crate::json::{Json, append};
use crate::message::{
    BuiltinToolCallPart, BuiltinToolReturnPart, ModelResponse, ResponsePart, TextPart, ThinkingPart, ToolCallPart,
};
use crate::provider::name::wire_id;
use crate::provider::turn::SentCall;
use crate::search::{SEARCH_KIND, SEARCH_TOOL};

/// What stands for the proof of the thoughts behind a call, where Google gave none: the first call of a message needs one.
const NO_SIGNATURE: &str = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=";

/// Appends what a model said, as messages of the model, each followed by a comma.
pub(super) fn append_response(
    out: &mut Vec<u8>,
    response: &ModelResponse,
    calls: &[SentCall<'_>],
    profile: &GoogleProfile,
) {
    let mut parts = ModelParts::of(response);
    let mut calls = calls.iter();
    let mut searches = searches(response).peekable();
    // Calls are answered behind the response, searches within it: so calls go behind all searches.
    let mut held = Vec::new();
    for part in &response.parts {
        match part {
            ResponsePart::Text(text) => parts.text(text),
            ResponsePart::Thinking(thoughts) => parts.thoughts(thoughts),
            ResponsePart::ToolCall(_) => match (calls.next(), searches.peek()) {
                (Some(sent), Some(_)) => held.push(sent),
                (Some(sent), None) => parts.call(sent.call, &sent.id),
                (None, _) => {}
            },
            ResponsePart::BuiltinToolReturn(found) => {
                if let Some((call, _)) = searches.next_if(|(_, own)| std::ptr::eq(*own, found)) {
                    append_search(out, &mut parts, call, found, profile);
                } else if is_paired(response, &found.tool_call_id) {
                    parts.native_result(found, profile);
                }
            }
            ResponsePart::BuiltinToolCall(call) if is_paired(response, &call.tool_call_id) => {
                parts.native_call(call, profile);
            }
            _ => {}
        }
    }
    held.into_iter().for_each(|sent| parts.call(sent.call, &sent.id));
    append_message(out, "model", &parts.out);
}

/// Whether a tool that a provider ran itself has both its call and its result in the response.
fn is_paired(response: &ModelResponse, id: &str) -> bool {
    let is_call = |part: &ResponsePart| matches!(part, ResponsePart::BuiltinToolCall(call) if call.tool_call_id == id);
    let is_result =
        |part: &ResponsePart| matches!(part, ResponsePart::BuiltinToolReturn(result) if result.tool_call_id == id);
    response.parts.iter().any(is_call) && response.parts.iter().any(is_result)
}

/// The searches that a provider ran itself: each call with its result, by the places of the results.
fn searches(response: &ModelResponse) -> impl Iterator<Item = (&BuiltinToolCallPart, &BuiltinToolReturnPart)> {
    let is_search = |kind: &Option<String>| kind.as_deref() == Some(SEARCH_KIND);
    response.parts.iter().enumerate().filter_map(move |(at, part)| {
        let ResponsePart::BuiltinToolReturn(found) = part else { return None };
        let call = response.parts[..at].iter().find_map(|part| match part {
            ResponsePart::BuiltinToolCall(call) if call.tool_call_id == found.tool_call_id => Some(call),
            _ => None,
        })?;
        (is_search(&found.tool_kind) && is_search(&call.tool_kind)).then_some((call, found))
    })
}

/// Appends a search that a provider ran itself, and what the model said before it: it is told as a call that was answered.
fn append_search(
    out: &mut Vec<u8>,
    parts: &mut ModelParts<'_>,
    call: &BuiltinToolCallPart,
    found: &BuiltinToolReturnPart,
    profile: &GoogleProfile,
) {
    let id = wire_id(&call.tool_call_id, 0);
    parts.signed_call(SEARCH_TOOL, &id, &call.args.replay_text(), None);
    append_message(out, "model", &std::mem::take(&mut parts.out));
    parts.has_call = false;
    let mut answer = Vec::new();
    append_function_response(&mut answer, (SEARCH_TOOL, &id), Some((&found.content, found.outcome)), profile);
    append_message(out, "user", &answer);
}

/// The parts of a message of the model, each followed by a comma.
///
/// Google gives parts a proof of the thoughts behind them, and wants it back with the same part. Of other providers neither
/// proofs nor thoughts are sent.
struct ModelParts<'r> {
    out: Vec<u8>,
    /// Whether Google made the response: then parts that do not say whose they are, are its own.
    is_own: bool,
    /// A proof that belongs to the next part, as older histories have it.
    pending: Option<&'r str>,
    /// Whether there is a call.
    has_call: bool,
}

impl<'r> ModelParts<'r> {
    fn of(response: &ModelResponse) -> Self {
        let is_own = response.provider_name.as_deref() == Some(SYSTEM);
        Self { out: Vec::new(), is_own, pending: None, has_call: false }
    }

    fn text(&mut self, part: &'r TextPart) {
        let signature = self.signature(&part.provider_name, &part.provider_details);
        if !part.content.is_empty() || signature.is_some() {
            self.words(&part.content, b"", signature.as_deref());
        }
    }

    fn thoughts(&mut self, part: &'r ThinkingPart) {
        let signature = self.signature(&part.provider_name, &part.provider_details);
        if !self.is_googles(&part.provider_name) {
            return;
        }
        self.pending = part.signature.as_deref();
        if !part.content.is_empty() || signature.is_some() {
            self.words(&part.content, br#","thought":true"#, signature.as_deref());
        }
    }

    fn call(&mut self, call: &'r ToolCallPart, id: &str) {
        let signature = self.signature(&call.provider_name, &call.provider_details);
        self.signed_call(&NAMES.wire(&call.tool_name), id, &call.args.replay_text(), signature.as_deref());
    }

    fn signed_call(&mut self, name: &str, id: &str, arguments: &str, signature: Option<&str>) {
        let is_first = !std::mem::replace(&mut self.has_call, true);
        self.out.extend_from_slice(br#"{"functionCall":{"id":"#);
        append(&mut self.out, id);
        self.out.extend_from_slice(br#","name":"#);
        append(&mut self.out, name);
        self.out.extend_from_slice(br#","args":"#);
        self.out.extend_from_slice(arguments.as_bytes());
        self.out.push(b'}');
        self.end(signature.or(is_first.then_some(NO_SIGNATURE)));
    }

    fn native_call(&mut self, call: &'r BuiltinToolCallPart, profile: &GoogleProfile) {
        let wire = native::wire_call(call, profile).filter(|_| call.tool_kind.is_none());
        self.native(wire, &call.provider_name, &call.provider_details);
    }

    fn native_result(&mut self, result: &'r BuiltinToolReturnPart, profile: &GoogleProfile) {
        let wire = native::wire_result(result, profile).filter(|_| result.tool_kind.is_none());
        self.native(wire, &result.provider_name, &result.provider_details);
    }

    /// A part of a tool that Google ran itself.
    fn native(&mut self, wire: Option<(&str, Json)>, provider: &Option<String>, details: &Option<Json>) {
        let Some((field, value)) = wire.filter(|_| self.is_googles(provider)) else { return };
        let signature = self.signature(provider, details);
        self.out.push(b'{');
        append(&mut self.out, field);
        self.out.push(b':');
        self.out.extend_from_slice(value.text().as_bytes());
        self.end(signature.as_deref());
    }

    fn words(&mut self, text: &str, mark: &[u8], signature: Option<&str>) {
        self.out.extend_from_slice(br#"{"text":"#);
        append(&mut self.out, text);
        self.out.extend_from_slice(mark);
        self.end(signature);
    }

    fn end(&mut self, signature: Option<&str>) {
        if let Some(signature) = signature {
            self.out.extend_from_slice(br#","thoughtSignature":"#);
            append(&mut self.out, signature);
        }
        self.out.extend_from_slice(b"},");
    }

    /// The proof that goes with a part.
    fn signature(&mut self, provider: &Option<String>, details: &Option<Json>) -> Option<Cow<'r, str>> {
        #[derive(Deserialize)]
        struct Details {
            thought_signature: Option<String>,
        }
        let pending = self.pending.take();
        let own = details.as_ref().filter(|_| self.is_googles(provider));
        let own = own.and_then(|details| details.read::<Details>().ok()?.thought_signature);
        own.filter(|signature| !signature.is_empty()).map(Cow::Owned).or(pending.map(Cow::Borrowed))
    }

    fn is_googles(&self, provider: &Option<String>) -> bool {
        provider.as_deref().map_or(self.is_own, |provider| provider == SYSTEM)
    }
}
