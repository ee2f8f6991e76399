//! What a model said, as the items that it came in: some are known by their ids, and have to come back as they were.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::message::ItemForm;
use super::native;
use super::reveal::{
    append_additions, append_found, append_namespace, append_own_found, append_own_search, append_search,
};
use crate::discovery::{found, is_of};
use crate::json::{Json, append};
use crate::message::{
    BuiltinToolCallPart, BuiltinToolReturnPart, ModelResponse, ResponsePart, TextPart, ThinkingPart, ToolCallPart,
};
use crate::provider::chat::THOUGHT_FIELDS;
use crate::provider::name::{wire_id, wire_name};
use crate::provider::result::text_result;
use crate::provider::transcript::Draft;
use crate::provider::turn::SentCall;
use crate::search::{SEARCH_KIND, SEARCH_TOOL};

/// What is kept beside a part for the API alone.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Kept {
    phase: Option<String>,
    namespace: Option<String>,
    raw_content: Option<Vec<String>>,
}

/// How items go back.
#[derive(Clone, Copy)]
struct Return<'a> {
    form: &'a ItemForm,
    /// Whether the server wants them to come back by their ids.
    by_id: bool,
    /// Whether they came from the server that they go to.
    is_same_server: bool,
}

/// Appends the items of a response, each followed by a comma; `by_id` says whether they came from the server that they go to.
pub(super) fn append_response(
    draft: &mut Draft<'_>,
    response: &ModelResponse,
    calls: &[SentCall<'_>],
    form: &ItemForm,
    by_id: bool,
) {
    let back = Return { form, by_id: by_id && form.profile.encrypted_reasoning, is_same_server: by_id };
    let mut calls = calls.iter();
    let searches = ProviderSearches::of(response);
    // An item may have become several parts, which stand side by side.
    for parts in
        response.parts.chunk_by(|one, next| back.item_id(one).is_some() && back.item_id(one) == back.item_id(next))
    {
        match &parts[0] {
            ResponsePart::Text(_) => append_texts(draft.messages, parts, back),
            ResponsePart::Thinking(_) => append_thoughts(draft.messages, parts, back),
            ResponsePart::ToolCall(call) => match calls.next() {
                Some(sent) if form.tells_as_search(sent) => {
                    let id = back.own(call.id.as_deref(), call.provider_name.as_deref()).filter(|_| back.by_id);
                    append_search(draft.messages, &sent.id, id, &call.args);
                }
                Some(sent) => append_call(draft, call, &sent.id, back),
                None => append_call(draft, call, &wire_id(&call.tool_call_id, 0), back),
            },
            ResponsePart::BuiltinToolCall(call) if searches.is_answered(call) && back.is_own(call) => {
                append_own_search(draft.messages, call, back.by_id);
            }
            ResponsePart::BuiltinToolReturn(found) => match searches.answered_by(found) {
                Some(call) if back.is_own(call) => append_own_found(draft, found, back.by_id, form),
                Some(call) => append_foreign_search(draft, call, found, form),
                None => append_native(draft.messages, found, response, back),
            },
            _ => {}
        }
    }
}

/// Appends the item of a tool that the provider ran itself, when its result is reached.
fn append_native(out: &mut Vec<u8>, result: &BuiltinToolReturnPart, response: &ModelResponse, back: Return<'_>) {
    let takes = back.is_same_server && back.form.profile.native_tools == Some(true);
    let is_own = |provider: &Option<String>| takes && provider.as_deref() == Some(back.form.system);
    let call = response.parts.iter().find_map(|part| match part {
        ResponsePart::BuiltinToolCall(call) if call.tool_call_id == result.tool_call_id => Some(call),
        _ => None,
    });
    if let Some(call) = call.filter(|call| is_own(&call.provider_name) && is_own(&result.provider_name)) {
        native::append_item(out, call, result);
    }
}

/// The searches in a response that a provider ran, and that have results there.
struct ProviderSearches<'t>(Vec<(&'t BuiltinToolCallPart, &'t BuiltinToolReturnPart)>);

impl<'t> ProviderSearches<'t> {
    fn of(response: &'t ModelResponse) -> Self {
        let mut calls: Vec<&BuiltinToolCallPart> = Vec::new();
        let mut pairs = Vec::new();
        for part in &response.parts {
            match part {
                ResponsePart::BuiltinToolCall(call) if is_of(&call.tool_kind, SEARCH_KIND) => calls.push(call),
                ResponsePart::BuiltinToolReturn(found) if is_of(&found.tool_kind, SEARCH_KIND) => {
                    let call = calls.iter().position(|call| call.tool_call_id == found.tool_call_id);
                    pairs.extend(call.map(|place| (calls.remove(place), found)));
                }
                _ => {}
            }
        }
        Self(pairs)
    }

    fn is_answered(&self, call: &BuiltinToolCallPart) -> bool {
        self.0.iter().any(|(answered, _)| std::ptr::eq(*answered, call))
    }

    fn answered_by(&self, found: &BuiltinToolReturnPart) -> Option<&'t BuiltinToolCallPart> {
        self.0.iter().find(|(_, result)| std::ptr::eq(*result, found)).map(|(call, _)| *call)
    }
}

impl Return<'_> {
    /// Whether it is a search that this API ran, and that it takes back as it was.
    fn is_own(&self, search: &BuiltinToolCallPart) -> bool {
        self.form.profile.tool_search == Some(true) && search.provider_name.as_deref() == Some(self.form.system)
    }

    /// The id of the item that a text or thoughts came in.
    fn item_id<'p>(&self, part: &'p ResponsePart) -> Option<&'p str> {
        let (id, provider) = match part {
            ResponsePart::Text(part) => (&part.id, &part.provider_name),
            ResponsePart::Thinking(part) => (&part.id, &part.provider_name),
            _ => return None,
        };
        self.own(id.as_deref(), provider.as_deref())
    }

    /// What only the provider that it came from knows.
    fn own<'t>(&self, text: Option<&'t str>, provider: Option<&str>) -> Option<&'t str> {
        text.filter(|text| provider == Some(self.form.system) && !text.is_empty())
    }

    fn kept<T: DeserializeOwned + Default>(&self, details: Option<&Json>, provider: Option<&str>) -> T {
        let own = details.filter(|_| provider == Some(self.form.system));
        own.and_then(|details| details.read().ok()).unwrap_or_default()
    }
}

fn append_texts(out: &mut Vec<u8>, parts: &[ResponsePart], back: Return<'_>) {
    let texts = || {
        parts.iter().filter_map(|part| match part {
            ResponsePart::Text(part) if !part.content.is_empty() => Some(part),
            _ => None,
        })
    };
    let Some(first) = texts().next() else { return };
    let id = back.item_id(&parts[0]).filter(|_| back.by_id);
    let Some(id) = id else {
        for text in texts() {
            out.extend_from_slice(br#"{"role":"assistant""#);
            append_phase(out, text, back);
            append_field(out, "content", &text.content);
            out.extend_from_slice(b"},");
        }
        return;
    };
    out.extend_from_slice(br#"{"type":"message","role":"assistant","status":"completed""#);
    append_field(out, "id", id);
    append_phase(out, first, back);
    append_texts_in(out, "content", r#"{"type":"output_text","annotations":[]"#, texts().map(|text| &*text.content));
    out.extend_from_slice(b"},");
}

fn append_phase(out: &mut Vec<u8>, text: &TextPart, back: Return<'_>) {
    if !back.form.profile.phases {
        return;
    }
    let kept: Kept = back.kept(text.provider_details.as_ref(), text.provider_name.as_deref());
    if let Some(phase) = kept.phase.filter(|phase| matches!(&**phase, "commentary" | "final_answer")) {
        append_field(out, "phase", &phase);
    }
}

/// Thoughts that are this provider's own go back to it, with what proves it.
fn append_thoughts(out: &mut Vec<u8>, parts: &[ResponsePart], back: Return<'_>) {
    let Some(id) = back.item_id(&parts[0]) else { return };
    let thoughts = || {
        parts.iter().filter_map(|part| match part {
            ResponsePart::Thinking(part) => Some(part),
            _ => None,
        })
    };
    let raw = thoughts().find_map(|part| raw_content(part, back));
    let signature = thoughts()
        .find_map(|part| part.signature.as_deref())
        .filter(|text| back.form.profile.encrypted_reasoning && !text.is_empty());
    let summaries = || thoughts().map(|part| &*part.content).filter(|text| !text.is_empty());
    // Thoughts that came by Chat Completions bear the name of a field for an id.
    let is_item = signature.is_some()
        || raw.is_some()
        || (back.by_id && summaries().next().is_some() && !THOUGHT_FIELDS.contains(&id));
    if !is_item {
        return;
    }
    out.extend_from_slice(br#"{"type":"reasoning""#);
    append_field(out, "id", id);
    append_texts_in(out, "summary", r#"{"type":"summary_text""#, summaries());
    if let Some(signature) = signature {
        append_field(out, "encrypted_content", signature);
    }
    if let Some(raw) = &raw {
        append_texts_in(out, "content", r#"{"type":"reasoning_text""#, raw.iter().map(String::as_str));
    }
    out.extend_from_slice(b"},");
}

/// Thoughts in full, which models that hide nothing give.
fn raw_content(part: &ThinkingPart, back: Return<'_>) -> Option<Vec<String>> {
    let kept: Kept = back.kept(part.provider_details.as_ref(), part.provider_name.as_deref());
    kept.raw_content.filter(|texts| !texts.is_empty())
}

fn append_call(draft: &mut Draft<'_>, call: &ToolCallPart, call_id: &str, back: Return<'_>) {
    draft.messages.extend_from_slice(br#"{"type":"function_call""#);
    let provider = call.provider_name.as_deref();
    // A search that is told as a call was another item.
    if let Some(id) =
        back.own(call.id.as_deref(), provider).filter(|_| back.by_id && !is_of(&call.tool_kind, SEARCH_KIND))
    {
        append_field(draft.messages, "id", id);
    }
    append_field(draft.messages, "call_id", call_id);
    append_field(draft.messages, "name", &wire_name(&call.tool_name));
    let kept: Kept = back.kept(call.provider_details.as_ref(), provider);
    match kept.namespace {
        Some(namespace) => append_field(draft.messages, "namespace", &namespace),
        None => append_namespace(draft, &call.tool_name, back.form),
    }
    append_field(draft.messages, "arguments", &call.args.replay_text());
    draft.messages.extend_from_slice(b"},");
}

/// A search that another provider ran itself: told as one of the application's, if the request has any, else as a call that
/// was answered.
fn append_foreign_search(
    draft: &mut Draft<'_>,
    call: &BuiltinToolCallPart,
    result: &BuiltinToolReturnPart,
    form: &ItemForm,
) {
    let id = wire_id(&call.tool_call_id, 0);
    if form.revealable.has_search {
        append_search(draft.messages, &id, None, &call.args);
        return append_found(draft, &id, &result.content, form);
    }
    draft.messages.extend_from_slice(br#"{"type":"function_call""#);
    append_field(draft.messages, "call_id", &id);
    append_field(draft.messages, "name", SEARCH_TOOL);
    append_field(draft.messages, "arguments", &call.args.replay_text());
    draft.messages.extend_from_slice(b"},");
    let text = text_result(&result.content, result.outcome, |_| Some("files that a search found".into())).text;
    append_text_output(draft.messages, &id, &text);
    if form.adds_definitions() {
        append_additions(draft, &found(&result.content), form);
    }
}

/// Appends what a call came to, as text, and a comma.
pub(super) fn append_text_output(out: &mut Vec<u8>, call_id: &str, text: &str) {
    out.extend_from_slice(br#"{"type":"function_call_output""#);
    append_field(out, "call_id", call_id);
    append_field(out, "output", text);
    out.extend_from_slice(b"},");
}

/// Appends a field of an object that has some already.
pub(super) fn append_field(out: &mut Vec<u8>, name: &str, text: &str) {
    out.push(b',');
    append(out, name);
    out.push(b':');
    append(out, text);
}

/// Appends a field with a list of objects that begin with `open` and have a text each.
fn append_texts_in<'t>(out: &mut Vec<u8>, name: &str, open: &str, texts: impl Iterator<Item = &'t str>) {
    out.push(b',');
    append(out, name);
    out.extend_from_slice(b":[");
    for (index, text) in texts.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(open.as_bytes());
        append_field(out, "text", text);
        out.push(b'}');
    }
    out.push(b']');
}
