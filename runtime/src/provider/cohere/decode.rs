//! What a reply says.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::SYSTEM;
use crate::error::Result;
use crate::http::Reply;
use crate::json::Json;
use crate::message::{FinishReason, ModelResponse, ResponsePart, TextPart, ThinkingPart, ToolCallPart};
use crate::provider::incoming::whole_arguments;
use crate::provider::name::WireNames;
use crate::usage::RequestUsage;

/// A reply.
#[derive(Deserialize)]
struct Completion {
    id: Option<String>,
    finish_reason: Option<String>,
    /// What the model says; of a fault, what is wrong.
    message: Option<Json>,
    usage: Option<Json>,
}

/// What a model says, or a piece of it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Message {
    /// A list of contents, or one of them.
    pub(super) content: Option<Json>,
    /// A list of calls, or one of them.
    pub(super) tool_calls: Option<Json>,
    pub(super) tool_plan: Option<String>,
}

/// A text, or thoughts.
#[derive(Default, Deserialize)]
pub(super) struct Content {
    pub(super) text: Option<String>,
    pub(super) thinking: Option<String>,
}

#[derive(Default, Deserialize)]
pub(super) struct Call {
    pub(super) id: Option<String>,
    pub(super) function: Option<Function>,
}

#[derive(Default, Deserialize)]
pub(super) struct Function {
    pub(super) name: Option<String>,
    pub(super) arguments: Option<Json>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    tokens: Option<Tokens>,
    billed_units: Option<Map<String, Value>>,
    cached_tokens: Option<f64>,
}

/// Counts, which the API writes as it does any numbers.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input_tokens: Option<f64>,
    output_tokens: Option<f64>,
}

/// Reads a reply of the model `model`.
///
/// # Errors
///
/// The provider's, without a status, when the reply has no message to read.
pub(super) fn response(reply: &Reply, names: &WireNames<'_>, model: &str, provider_url: &str) -> Result<ModelResponse> {
    let completion: Completion = reply.json()?;
    let Some(message) = completion.message.filter(Json::is_object) else { return Err(reply.lacks("message")) };
    let message: Message = message.read().map_err(|error| reply.unreadable(&error))?;
    let envelope = Envelope {
        id: completion.id,
        finish_reason: completion.finish_reason,
        usage: completion.usage,
        tool_plan: message.tool_plan.clone().unwrap_or_default(),
    };
    Ok(envelope.response(parts(message, names), model, provider_url))
}

/// What a reply says besides its parts.
#[derive(Default)]
pub(super) struct Envelope {
    pub(super) id: Option<String>,
    pub(super) finish_reason: Option<String>,
    pub(super) usage: Option<Json>,
    /// What the model means to do with its calls.
    pub(super) tool_plan: String,
}

impl Envelope {
    pub(super) fn response(self, parts: Vec<ResponsePart>, model: &str, provider_url: &str) -> ModelResponse {
        let mut response = ModelResponse::new(parts);
        response.usage = self.usage.and_then(|usage| usage.read().ok()).map(usage).unwrap_or_default();
        response.finish_reason = self.finish_reason.as_deref().and_then(finish_reason);
        let tool_plan = Some(self.tool_plan).filter(|plan| !plan.is_empty());
        let details = [(FINISH_REASON, self.finish_reason), (TOOL_PLAN, tool_plan)];
        let details = details.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into())));
        let details = Map::from_iter(details);
        response.provider_details = (!details.is_empty()).then(|| Value::Object(details).into());
        response.model_name = Some(model.to_owned());
        response.provider_response_id = self.id.filter(|id| !id.is_empty());
        response.provider_name = Some(SYSTEM.to_owned());
        response.provider_url = Some(provider_url.to_owned());
        response
    }
}

const FINISH_REASON: &str = "finish_reason";
const TOOL_PLAN: &str = "tool_plan";

/// What the model meant to do with its calls, from what is kept of a response.
pub(super) fn tool_plan(details: &Json) -> Option<String> {
    #[derive(Deserialize)]
    struct Kept {
        tool_plan: Option<String>,
    }
    details.read::<Kept>().ok()?.tool_plan.filter(|plan| !plan.is_empty())
}

/// The contents of a message, or a piece of one; a text may stand in their place.
pub(super) fn contents(json: &Json) -> Vec<Content> {
    match json.as_str() {
        Some(text) => vec![Content { text: Some(text), thinking: None }],
        None => items(json),
    }
}

/// The items of a list, or the one that stands in its place; what is of another form is passed over.
pub(super) fn items<T: DeserializeOwned>(json: &Json) -> Vec<T> {
    if json.is_array() {
        return json.read::<Vec<Json>>().unwrap_or_default().iter().filter_map(|item| item.read().ok()).collect();
    }
    json.read().into_iter().collect()
}

fn parts(message: Message, names: &WireNames<'_>) -> Vec<ResponsePart> {
    let mut parts = Vec::new();
    for Content { text, thinking } in message.content.as_ref().map(contents).unwrap_or_default() {
        let thinking = thinking.filter(|thoughts| !thoughts.is_empty());
        parts.extend(thinking.map(|thoughts| ResponsePart::Thinking(ThinkingPart::new(thoughts))));
        parts.extend(text.filter(|text| !text.is_empty()).map(|text| TextPart::new(text).into()));
    }
    for Call { id, function } in message.tool_calls.as_ref().map(items).unwrap_or_default() {
        let Function { name, arguments } = function.unwrap_or_default();
        let name = name.unwrap_or_default();
        let call = ToolCallPart::new(names.original(&name), whole_arguments(arguments));
        parts.push(call.with_id(id.unwrap_or_default()).into());
    }
    parts
}

fn finish_reason(reason: &str) -> Option<FinishReason> {
    match reason {
        "COMPLETE" | "STOP_SEQUENCE" => Some(FinishReason::Stop),
        "MAX_TOKENS" => Some(FinishReason::Length),
        "TOOL_CALL" => Some(FinishReason::ToolCall),
        "ERROR" | "TIMEOUT" => Some(FinishReason::Error),
        _ => None,
    }
}

fn usage(usage: Usage) -> RequestUsage {
    let Tokens { input_tokens, output_tokens } = usage.tokens.unwrap_or_default();
    let mut details = usage.billed_units.unwrap_or_default();
    details.retain(|_, count| {
        *count = count.as_f64().map(whole).unwrap_or_default().into();
        *count != 0
    });
    RequestUsage {
        input_tokens: input_tokens.map(whole).unwrap_or_default(),
        output_tokens: output_tokens.map(whole).unwrap_or_default(),
        cache_read_tokens: usage.cached_tokens.map(whole).unwrap_or_default(),
        details,
        ..RequestUsage::default()
    }
}

/// The whole number in a count, which is never negative.
fn whole(count: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates, and counts are small")]
    let count = count as u64;
    count
}
