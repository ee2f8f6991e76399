//! What a reply says. Servers differ in what they leave out, so only what cannot be done without is demanded.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::native::NativeCall;
use super::search::{SearchCall, SearchOutput, Searches};
use crate::error::Result;
use crate::http::Reply;
use crate::json::Json;
use crate::message::{Arguments, FinishReason, ModelResponse, ResponsePart, TextPart, ThinkingPart, ToolCallPart};
use crate::provider::name::WireNames;
use crate::usage::RequestUsage;

/// A response of the API, whole or as far as it has come.
#[derive(Deserialize)]
pub(super) struct Answer {
    id: Option<String>,
    model: Option<String>,
    status: Option<String>,
    pub(super) output: Option<Vec<Json>>,
    usage: Option<Json>,
    pub(super) error: Option<Json>,
    incomplete_details: Option<Incomplete>,
}

#[derive(Deserialize)]
struct Incomplete {
    reason: Option<String>,
}

/// What kind of item it is.
#[derive(Deserialize)]
struct Kind {
    r#type: Option<String>,
}

/// Words of the model.
#[derive(Deserialize)]
pub(super) struct Message {
    pub(super) id: Option<String>,
    pub(super) phase: Option<String>,
    pub(super) content: Option<Vec<Content>>,
}

/// A piece of a message, or of thoughts.
#[derive(Deserialize)]
pub(super) struct Content {
    r#type: Option<String>,
    text: Option<Json>,
    refusal: Option<Json>,
}

/// Thoughts: what may be told of them, all of them in a form that only the API can read, or all of them in words.
#[derive(Deserialize)]
pub(super) struct Reasoning {
    pub(super) id: Option<String>,
    pub(super) summary: Option<Vec<Content>>,
    pub(super) content: Option<Vec<Content>>,
    pub(super) encrypted_content: Option<String>,
}

/// A call of a function.
#[derive(Deserialize)]
pub(super) struct FunctionCall {
    pub(super) id: Option<String>,
    pub(super) call_id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) arguments: Option<Json>,
}

/// An item of a response, of a kind that becomes parts.
pub(super) enum Item {
    Message(Message),
    Reasoning(Reasoning),
    Call(FunctionCall),
    Search(SearchCall),
    Found(SearchOutput),
    Native(NativeCall),
    Other,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    input_tokens_details: Option<InputDetails>,
    output_tokens_details: Option<Map<String, Value>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InputDetails {
    cached_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
}

/// Reads a reply.
///
/// # Errors
///
/// The provider's, without a status, when the reply tells of an error, or has no output.
pub(super) fn response(
    reply: &Reply,
    system: &str,
    names: &WireNames<'_>,
    provider_url: &str,
) -> Result<ModelResponse> {
    let mut answer: Answer = reply.json()?;
    let is_error = answer.error.as_ref().is_some_and(|error| !error.is_null());
    let output = match answer.output.take() {
        Some(output) if !is_error => output,
        _ => return Err(reply.lacks("output")),
    };
    let mut parts = Vec::new();
    let mut refusal = None;
    let mut searches = Searches::default();
    for item in &output {
        match Item::read(item).map_err(|error| reply.unreadable(&error))? {
            Item::Message(message) => add_message(&mut parts, system, message, &mut refusal),
            Item::Reasoning(reasoning) => add_reasoning(&mut parts, system, reasoning),
            Item::Call(call) => parts.push(tool_call(call, system, names).into()),
            Item::Search(call) => parts.push(searches.call(call, system)),
            Item::Found(output) => parts.extend(searches.output(output, system, names)),
            Item::Native(call) => {
                let (call, result) = call.parts(system);
                parts.extend([ResponsePart::BuiltinToolCall(call), ResponsePart::BuiltinToolReturn(result)]);
            }
            Item::Other => {}
        }
    }
    Ok(answer.response(parts, refusal, system, provider_url))
}

impl Item {
    /// Reads an item, as far as it is of a kind that becomes parts.
    pub(super) fn read(item: &Json) -> serde_json::Result<Self> {
        let kind: Kind = item.read()?;
        Ok(match kind.r#type.as_deref() {
            Some("message") => Self::Message(item.read()?),
            Some("reasoning") => Self::Reasoning(item.read()?),
            Some("function_call") => Self::Call(item.read()?),
            Some("tool_search_call") => Self::Search(item.read()?),
            Some("tool_search_output") => Self::Found(item.read()?),
            Some(other) => NativeCall::read(other, item)?.map_or(Self::Other, Self::Native),
            None => Self::Other,
        })
    }
}

impl Answer {
    /// The response with these parts, unless the model refused to give one.
    pub(super) fn response(
        self,
        parts: Vec<ResponsePart>,
        refusal: Option<String>,
        system: &str,
        provider_url: &str,
    ) -> ModelResponse {
        let refusal = refusal.filter(|text| !text.is_empty());
        let reason = self.incomplete_details.and_then(|details| details.reason).or(self.status);
        let mut response = ModelResponse::new(if refusal.is_some() { Vec::new() } else { parts });
        response.usage = self.usage.and_then(|usage| usage.read().ok()).map(usage).unwrap_or_default();
        response.finish_reason = match refusal {
            Some(_) => Some(FinishReason::ContentFilter),
            None => reason.as_deref().and_then(finish_reason),
        };
        response.provider_details = match (refusal, reason) {
            (Some(refusal), _) => Some(json!({"refusal": refusal}).into()),
            (None, Some(reason)) => Some(json!({"finish_reason": reason}).into()),
            (None, None) => None,
        };
        response.model_name = self.model.filter(|name| !name.is_empty());
        response.provider_response_id = self.id.filter(|id| !id.is_empty());
        response.provider_name = Some(system.to_owned());
        response.provider_url = Some(provider_url.to_owned());
        response
    }
}

fn add_message(parts: &mut Vec<ResponsePart>, system: &str, message: Message, refusal: &mut Option<String>) {
    let Message { id, phase, content } = message;
    for content in content.into_iter().flatten() {
        match content.refused() {
            Some(words) => *refusal = Some(words),
            None => {
                let text = content.output_text().filter(|text| !text.is_empty());
                parts.extend(text.map(|words| text_part(system, words, id.clone(), phase.as_deref()).into()));
            }
        }
    }
}

impl Content {
    /// What the model says in place of an answer.
    pub(super) fn refused(&self) -> Option<String> {
        self.refusal.as_ref()?.as_str()
    }

    /// The words, if it is a piece that has some.
    pub(super) fn output_text(self) -> Option<String> {
        let is_known =
            matches!(self.r#type.as_deref(), None | Some("output_text" | "text" | "summary_text" | "reasoning_text"));
        self.text.filter(|_| is_known)?.as_str()
    }
}

/// A text that came in the item of this id.
pub(super) fn text_part(system: &str, words: String, id: Option<String>, phase: Option<&str>) -> TextPart {
    let mut part = TextPart::new(words);
    part.id = id.filter(|id| !id.is_empty());
    part.provider_name = Some(system.to_owned());
    part.provider_details = phase.map(|phase| json!({"phase": phase}).into());
    part
}

/// Thoughts that came in the item of this id.
pub(super) fn thinking_part(system: &str, words: String, id: Option<String>) -> ThinkingPart {
    let mut part = ThinkingPart::new(words);
    part.id = id.filter(|id| !id.is_empty());
    part.provider_name = Some(system.to_owned());
    part
}

/// Thoughts in full, as they are kept beside a part.
pub(super) fn raw_details(texts: &[String]) -> Option<Json> {
    (!texts.is_empty()).then(|| json!({"raw_content": texts}).into())
}

/// A summary may come in several parts; what proves the thoughts stands with the first.
fn add_reasoning(parts: &mut Vec<ResponsePart>, system: &str, item: Reasoning) {
    let Reasoning { id, summary, content, encrypted_content } = item;
    let texts = |list: Option<Vec<Content>>| list.into_iter().flatten().filter_map(Content::output_text).collect();
    let (mut summary, raw): (Vec<String>, Vec<String>) = (texts(summary), texts(content));
    let signature = encrypted_content.filter(|text| !text.is_empty());
    let details = raw_details(&raw);
    if summary.is_empty() && (signature.is_some() || details.is_some()) {
        summary.push(String::new());
    }
    let first = parts.len();
    parts.extend(summary.into_iter().map(|words| ResponsePart::Thinking(thinking_part(system, words, id.clone()))));
    if let Some(ResponsePart::Thinking(part)) = parts.get_mut(first) {
        part.signature = signature;
        part.provider_details = details;
    }
}

impl FunctionCall {
    /// What the API wants to have back with the call.
    pub(super) fn details(&self) -> Option<Json> {
        self.namespace.as_ref().map(|namespace| json!({"namespace": namespace}).into())
    }
}

fn tool_call(call: FunctionCall, system: &str, names: &WireNames<'_>) -> ToolCallPart {
    let details = call.details();
    let arguments = match call.arguments {
        None => Arguments::absent(),
        Some(json) => match json.as_str() {
            Some(text) => Arguments::from_text(text),
            None => Arguments::from_json(json),
        },
    };
    let name = call.name.unwrap_or_default();
    let part = ToolCallPart::new(names.original(&name), arguments).with_id(call.call_id.unwrap_or_default());
    ToolCallPart {
        id: call.id.filter(|id| !id.is_empty()),
        provider_name: Some(system.to_owned()),
        provider_details: details,
        ..part
    }
}

fn finish_reason(reason: &str) -> Option<FinishReason> {
    match reason {
        "completed" => Some(FinishReason::Stop),
        "max_output_tokens" => Some(FinishReason::Length),
        "content_filter" => Some(FinishReason::ContentFilter),
        "failed" | "cancelled" => Some(FinishReason::Error),
        _ => None,
    }
}

fn usage(usage: Usage) -> RequestUsage {
    let input = usage.input_tokens_details.unwrap_or_default();
    let mut details = usage.output_tokens_details.unwrap_or_default();
    details.retain(|_, count| count.is_u64());
    RequestUsage {
        input_tokens: usage.input_tokens.unwrap_or_default(),
        output_tokens: usage.output_tokens.unwrap_or_default(),
        cache_read_tokens: input.cached_tokens.unwrap_or_default(),
        cache_write_tokens: input.cache_write_tokens.unwrap_or_default(),
        details,
        ..RequestUsage::default()
    }
}
