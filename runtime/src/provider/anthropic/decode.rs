//! What a reply says. What is not known of it is passed over, so that newer replies can be read.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{SYSTEM, native, search};
use crate::error::Result;
use crate::http::Reply;
use crate::json::Json;
use crate::message::{
    Arguments, BuiltinToolCallPart, FinishReason, MessageState, ModelResponse, ResponsePart, TextPart, ThinkingPart,
    ToolCallPart,
};
use crate::provider::name::WireNames;
use crate::usage::RequestUsage;

/// The id of thoughts that the provider keeps to itself: their signature is all there is.
pub(super) const REDACTED: &str = "redacted_thinking";

/// Why a response stops whose tools the provider has not done with: asked once more, it goes on.
const PAUSED: &str = "pause_turn";

/// What a block, an event or a piece of one is.
#[derive(Deserialize)]
pub(super) struct Tag {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
}

/// A `text` block.
#[derive(Deserialize)]
pub(super) struct TextBlock {
    #[serde(default)]
    pub(super) text: String,
}

/// A `thinking` block. The signature proves that the thoughts are the provider's.
#[derive(Deserialize)]
pub(super) struct ThinkingBlock {
    #[serde(default)]
    pub(super) thinking: String,
    #[serde(default)]
    pub(super) signature: String,
}

/// A `redacted_thinking` block.
#[derive(Deserialize)]
pub(super) struct RedactedBlock {
    pub(super) data: String,
}

/// A `tool_use` or `server_tool_use` block.
#[derive(Deserialize)]
pub(super) struct CallBlock {
    #[serde(default)]
    pub(super) id: String,
    #[serde(default)]
    pub(super) name: String,
    pub(super) input: Option<Json>,
    /// Who called it, where that was not the model itself.
    pub(super) caller: Option<Json>,
}

/// A reply, or the beginning of one that is streamed.
#[derive(Default, Deserialize)]
pub(super) struct Envelope {
    content: Option<Vec<Json>>,
    id: Option<String>,
    model: Option<String>,
    pub(super) stop_reason: Option<String>,
    #[serde(default, deserialize_with = "as_far_as_it_fits")]
    pub(super) stop_details: StopDetails,
    /// What the provider left out of the request, such as thoughts.
    input_transformations: Option<Json>,
    #[serde(default, deserialize_with = "as_far_as_it_fits")]
    pub(super) usage: Usage,
}

/// Reads what a reply is whole without: of another form than is known, it is as if it were not there.
pub(super) fn as_far_as_it_fits<'de, D, T>(deserializer: D) -> std::result::Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    Ok(Json::deserialize(deserializer)?.read().unwrap_or_default())
}

/// Why the model refused.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StopDetails {
    explanation: Option<String>,
    category: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Usage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation: Option<CacheCreation>,
    output_tokens_details: Option<OutputDetails>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CacheCreation {
    ephemeral_1h_input_tokens: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OutputDetails {
    thinking_tokens: Option<u64>,
}

/// Reads a reply.
///
/// # Errors
///
/// The provider's, without a status, when the reply has no content to read.
pub(super) fn response(reply: &Reply, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse> {
    let mut envelope: Envelope = reply.json()?;
    let Some(content) = envelope.content.take() else {
        return Err(reply.lacks("content"));
    };
    let mut parts = Vec::with_capacity(content.len());
    for block in &content {
        parts.extend(part(block, names).map_err(|error| reply.unreadable(&error))?);
    }
    Ok(envelope.response(parts, provider_url))
}

fn part(block: &Json, names: &WireNames<'_>) -> serde_json::Result<Option<ResponsePart>> {
    Ok(match block.read::<Tag>()?.kind.as_str() {
        "text" => Some(TextPart::new(block.read::<TextBlock>()?.text).into()),
        "thinking" => thought(block.read()?).map(ResponsePart::Thinking),
        "redacted_thinking" => Some(ResponsePart::Thinking(redacted(block.read()?))),
        "tool_use" => {
            let CallBlock { id, name, input, .. } = block.read()?;
            let input = input.map_or_else(Arguments::absent, Arguments::from_json);
            Some(ToolCallPart::new(names.original(&name), input).with_id(id).into())
        }
        "server_tool_use" => Some(ResponsePart::BuiltinToolCall(own_call(block.read()?))),
        "tool_search_tool_result" => Some(ResponsePart::BuiltinToolReturn(search::result(block.read()?, names))),
        kind if native::is_result(kind) => native::result(block).map(ResponsePart::BuiltinToolReturn),
        _ => None,
    })
}

/// A call of a tool that the provider runs.
pub(super) fn own_call(block: CallBlock) -> BuiltinToolCallPart {
    search::call(block).unwrap_or_else(native::call)
}

/// Thoughts as far as they are there; none where nothing is.
pub(super) fn thought(block: ThinkingBlock) -> Option<ThinkingPart> {
    let ThinkingBlock { thinking, signature } = block;
    if thinking.is_empty() && signature.is_empty() {
        return None;
    }
    let mut part = ThinkingPart::new(thinking);
    part.signature = Some(signature).filter(|signature| !signature.is_empty());
    part.provider_name = Some(SYSTEM.to_owned());
    Some(part)
}

/// Thoughts that only the provider can read.
pub(super) fn redacted(block: RedactedBlock) -> ThinkingPart {
    let mut part = ThinkingPart::new("");
    part.id = Some(REDACTED.to_owned());
    part.signature = Some(block.data);
    part.provider_name = Some(SYSTEM.to_owned());
    part
}

impl Envelope {
    /// The response with these parts.
    pub(super) fn response(self, parts: Vec<ResponsePart>, provider_url: &str) -> ModelResponse {
        let mut response = ModelResponse::new(parts);
        response.usage = self.usage.counted();
        if self.stop_reason.as_deref() == Some(PAUSED) {
            response.state = MessageState::Suspended;
        }
        response.finish_reason = self.stop_reason.as_deref().and_then(finish_reason);
        response.provider_details = details(self.stop_reason, self.stop_details, self.input_transformations);
        response.model_name = self.model.filter(|name| !name.is_empty());
        response.provider_response_id = self.id.filter(|id| !id.is_empty());
        response.provider_name = Some(SYSTEM.to_owned());
        response.provider_url = Some(provider_url.to_owned());
        response
    }
}

fn finish_reason(reason: &str) -> Option<FinishReason> {
    match reason {
        "end_turn" | "stop_sequence" | "compaction" => Some(FinishReason::Stop),
        "max_tokens" | "model_context_window_exceeded" => Some(FinishReason::Length),
        "tool_use" => Some(FinishReason::ToolCall),
        "refusal" => Some(FinishReason::ContentFilter),
        _ => None,
    }
}

fn details(stop_reason: Option<String>, stop: StopDetails, transformations: Option<Json>) -> Option<Json> {
    let named = [("finish_reason", stop_reason), ("refusal", stop.explanation), ("refusal_category", stop.category)];
    let texts = named.into_iter().filter_map(|(name, text)| Some((name, Value::from(text?))));
    let transformations = transformations.map(|list| ("input_transformations", list.to_value()));
    let details: Map<_, _> = texts.chain(transformations).map(|(name, value)| (name.to_owned(), value)).collect();
    (!details.is_empty()).then(|| Value::Object(details).into())
}

impl StopDetails {
    /// Takes what is newer.
    pub(super) fn update(&mut self, newer: Self) {
        self.explanation = newer.explanation.or(self.explanation.take());
        self.category = newer.category.or(self.category.take());
    }
}

impl Usage {
    /// Takes what is newer: the counts of a stream are totals.
    pub(super) fn update(&mut self, newer: Self) {
        self.input_tokens = newer.input_tokens.or(self.input_tokens);
        self.output_tokens = newer.output_tokens.or(self.output_tokens);
        self.cache_creation_input_tokens = newer.cache_creation_input_tokens.or(self.cache_creation_input_tokens);
        self.cache_read_input_tokens = newer.cache_read_input_tokens.or(self.cache_read_input_tokens);
        self.cache_creation = newer.cache_creation.or(self.cache_creation.take());
        self.output_tokens_details = newer.output_tokens_details.or(self.output_tokens_details.take());
    }

    /// The counts as they are kept: what was read from the cache, or written to it, was read by the model, too.
    fn counted(self) -> RequestUsage {
        let cache_write_tokens = self.cache_creation_input_tokens.unwrap_or_default();
        let cache_read_tokens = self.cache_read_input_tokens.unwrap_or_default();
        let fresh = self.input_tokens.unwrap_or_default();
        let named = [
            ("thinking_tokens", self.output_tokens_details.and_then(|details| details.thinking_tokens)),
            ("ephemeral_1h_input_tokens", self.cache_creation.and_then(|cache| cache.ephemeral_1h_input_tokens)),
        ];
        let counted = named.into_iter().filter_map(|(name, count)| Some((name, count.filter(|count| *count > 0)?)));
        RequestUsage {
            input_tokens: fresh.saturating_add(cache_write_tokens).saturating_add(cache_read_tokens),
            output_tokens: self.output_tokens.unwrap_or_default(),
            cache_read_tokens,
            cache_write_tokens,
            details: counted.map(|(name, count)| (name.to_owned(), count.into())).collect(),
            ..RequestUsage::default()
        }
    }
}
