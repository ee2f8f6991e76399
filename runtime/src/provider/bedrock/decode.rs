//! What a reply says. What is not known of it is passed over, so that newer replies can be read.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::SYSTEM;
use crate::error::Result;
use crate::http::Reply;
use crate::json::Json;
use crate::message::{Arguments, FinishReason, ModelResponse, ResponsePart, TextPart, ThinkingPart, ToolCallPart};
use crate::provider::name::WireNames;
use crate::usage::RequestUsage;

/// The id of thoughts that the provider keeps to itself: their signature is all there is.
pub(super) const REDACTED: &str = "redacted_content";
/// The same, where the signature is bytes that are no text, as base64.
pub(super) const REDACTED_BYTES: &str = "redacted_bytes";
/// What a call is that the provider runs itself.
const SERVER_CALL: &str = "server_tool_use";

#[derive(Deserialize)]
struct Output {
    message: Option<OutputMessage>,
}

#[derive(Deserialize)]
struct OutputMessage {
    content: Option<Vec<Json>>,
}

/// A block, which is what its only key says.
#[derive(Deserialize)]
struct Block {
    text: Option<String>,
    #[serde(rename = "toolUse")]
    call: Option<CallBlock>,
    #[serde(rename = "reasoningContent")]
    thoughts: Option<Thoughts>,
    #[serde(rename = "citationsContent")]
    cited: Option<Cited>,
}

/// A call, or the beginning of one.
#[derive(Deserialize)]
pub(super) struct CallBlock {
    #[serde(rename = "toolUseId", default)]
    pub(super) id: String,
    #[serde(default)]
    pub(super) name: String,
    input: Option<Json>,
    r#type: Option<String>,
}

impl CallBlock {
    /// Whether the provider runs it itself.
    pub(super) fn is_servers(&self) -> bool {
        self.r#type.as_deref() == Some(SERVER_CALL)
    }
}

/// Thoughts, or a piece of them.
#[derive(Deserialize)]
pub(super) struct Thoughts {
    #[serde(rename = "reasoningText")]
    whole: Option<ReasoningText>,
    text: Option<String>,
    signature: Option<String>,
    #[serde(rename = "redactedContent")]
    redacted: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReasoningText {
    text: Option<String>,
    signature: Option<String>,
}

#[derive(Deserialize)]
struct Cited {
    #[serde(default)]
    content: Vec<CitedText>,
}

#[derive(Deserialize)]
struct CitedText {
    #[serde(default)]
    text: String,
}

/// A reply; a streamed one says all but its message in its last events.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Envelope {
    output: Option<Json>,
    #[serde(rename = "stopReason")]
    pub(super) stop_reason: Option<String>,
    pub(super) usage: Option<Json>,
    /// What guardrails have found.
    pub(super) trace: Option<Json>,
    #[serde(rename = "additionalModelResponseFields")]
    pub(super) additional: Option<Json>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    #[serde(rename = "inputTokens")]
    input: Option<u64>,
    #[serde(rename = "outputTokens")]
    output: Option<u64>,
    #[serde(rename = "cacheReadInputTokens")]
    cache_read: Option<u64>,
    #[serde(rename = "cacheWriteInputTokens")]
    cache_write: Option<u64>,
    #[serde(rename = "cacheDetails")]
    cache_details: Option<Vec<CacheDetail>>,
}

#[derive(Deserialize)]
struct CacheDetail {
    #[serde(rename = "inputTokens", default)]
    input: u64,
    #[serde(default)]
    ttl: String,
}

/// Reads a reply.
///
/// # Errors
///
/// The provider's, without a status, when the reply has no message to read.
pub(super) fn response(reply: &Reply, model: &str, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse> {
    let mut envelope: Envelope = reply.json()?;
    let Some(output) = envelope.output.take() else { return Err(reply.lacks("output")) };
    let unreadable = |error| reply.unreadable(&error);
    let message = output.read::<Output>().map_err(unreadable)?.message;
    let content = message.and_then(|message| message.content).unwrap_or_default();
    let mut parts = Vec::with_capacity(content.len());
    for block in &content {
        read_block(block, names, &mut parts).map_err(unreadable)?;
    }
    let mut response = envelope.response(parts, model, provider_url);
    response.provider_response_id.clone_from(&reply.request_id);
    Ok(response)
}

fn read_block(block: &Json, names: &WireNames<'_>, parts: &mut Vec<ResponsePart>) -> serde_json::Result<()> {
    let Block { text, call, thoughts, cited } = block.read()?;
    parts.extend(thoughts.and_then(Thoughts::part).map(ResponsePart::Thinking));
    let cited = cited.map(|cited| cited.content.into_iter().map(|content| content.text).collect());
    let text: Option<String> = text.or(cited);
    parts.extend(text.filter(|text| !text.is_empty()).map(|text| TextPart::new(text).into()));
    parts.extend(call.filter(|call| !call.is_servers()).map(|CallBlock { id, name, input, .. }| {
        let input = input.map_or_else(Arguments::absent, Arguments::from_json);
        ToolCallPart::new(names.original(&name), input).with_id(id).into()
    }));
    Ok(())
}

impl Thoughts {
    /// Thoughts as far as they are there; none where nothing is.
    pub(super) fn part(self) -> Option<ThinkingPart> {
        if let Some(redacted) = self.redacted {
            return Some(redacted_part(redacted));
        }
        let piece = ReasoningText { text: self.text, signature: self.signature };
        let ReasoningText { text, signature } = self.whole.unwrap_or(piece);
        let text = text.unwrap_or_default();
        let signature = signature.filter(|signature| !signature.is_empty());
        if text.is_empty() && signature.is_none() {
            return None;
        }
        let mut part = ThinkingPart::new(text);
        part.provider_name = signature.is_some().then(|| SYSTEM.to_owned());
        part.signature = signature;
        Some(part)
    }
}

/// Thoughts that only the provider can read.
fn redacted_part(base64: String) -> ThinkingPart {
    let text = STANDARD.decode(&base64).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let mut part = ThinkingPart::new("");
    part.id = Some(if text.is_some() { REDACTED } else { REDACTED_BYTES }.to_owned());
    part.signature = Some(text.unwrap_or(base64));
    part.provider_name = Some(SYSTEM.to_owned());
    part
}

impl Envelope {
    /// The response with these parts.
    pub(super) fn response(self, parts: Vec<ResponsePart>, model: &str, provider_url: &str) -> ModelResponse {
        let mut response = ModelResponse::new(parts);
        response.usage = as_far_as_it_fits::<Usage>(self.usage.as_ref()).counted();
        response.finish_reason = self.stop_reason.as_deref().and_then(finish_reason);
        response.model_name = Some(model.to_owned());
        response.provider_name = Some(SYSTEM.to_owned());
        response.provider_url = Some(provider_url.to_owned());
        response.provider_details = self.details();
        response
    }

    fn details(self) -> Option<Json> {
        let named = [
            ("finish_reason", self.stop_reason.map(Value::from)),
            ("trace", self.trace.map(|json| json.to_value())),
            ("additional_response_fields", self.additional.map(|json| json.to_value())),
        ];
        let details: Map<_, _> =
            named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        (!details.is_empty()).then(|| Value::Object(details).into())
    }
}

/// Reads what a reply is whole without: of another form than is known, it is as if it were not there.
fn as_far_as_it_fits<T: DeserializeOwned + Default>(json: Option<&Json>) -> T {
    json.and_then(|json| json.read().ok()).unwrap_or_default()
}

fn finish_reason(reason: &str) -> Option<FinishReason> {
    match reason {
        "end_turn" | "stop_sequence" => Some(FinishReason::Stop),
        "max_tokens" | "model_context_window_exceeded" => Some(FinishReason::Length),
        "tool_use" => Some(FinishReason::ToolCall),
        "content_filtered" | "guardrail_intervened" => Some(FinishReason::ContentFilter),
        "malformed_model_output" | "malformed_tool_use" => Some(FinishReason::Error),
        _ => None,
    }
}

impl Usage {
    /// The counts as they are kept: what was read from the cache, or written to it, was read by the model, too.
    fn counted(self) -> RequestUsage {
        let cache_read_tokens = self.cache_read.unwrap_or_default();
        let cache_write_tokens = self.cache_write.unwrap_or_default();
        let fresh = self.input.unwrap_or_default();
        let hourly = self.cache_details.into_iter().flatten().filter(|detail| detail.ttl == "1h");
        let hourly = hourly.fold(0_u64, |sum, detail| sum.saturating_add(detail.input));
        let details = (hourly > 0).then(|| ("ephemeral_1h_input_tokens".to_owned(), Value::from(hourly)));
        RequestUsage {
            input_tokens: fresh.saturating_add(cache_write_tokens).saturating_add(cache_read_tokens),
            output_tokens: self.output.unwrap_or_default(),
            cache_read_tokens,
            cache_write_tokens,
            details: details.into_iter().collect(),
            ..RequestUsage::default()
        }
    }
}
