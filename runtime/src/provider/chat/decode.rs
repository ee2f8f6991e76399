//! What a reply says. Servers differ in what they leave out, so only what cannot be done without is demanded.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::ChatForm;
use super::detail::Detail;
use super::profile::ThoughtForm;
use super::think::{Piece, ThinkTags};
use crate::error::Result;
use crate::http::Reply;
use crate::json::Json;
use crate::message::{FinishReason, ModelResponse, ResponsePart, TextPart, ThinkingPart, ToolCallPart};
use crate::provider::incoming::whole_arguments;
use crate::provider::name::WireNames;
use crate::usage::RequestUsage;

/// Where servers put thoughts, which go back to where they came from.
pub(crate) const THOUGHT_FIELDS: [&str; 3] = ["reasoning", "reasoning_content", "reasoning_text"];
/// Where thoughts came from that stood in tags.
pub(super) const TAGGED: &str = "content";

/// A reply, or a chunk of one that is streamed.
#[derive(Deserialize)]
pub(super) struct Completion {
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) choices: Option<Vec<Choice>>,
    usage: Option<Json>,
    /// What Groq says in its own name.
    x_groq: Option<Json>,
    pub(super) error: Option<Json>,
}

impl Completion {
    /// What was used, wherever the server says so.
    pub(super) fn usage(&self) -> Option<Json> {
        #[derive(Deserialize)]
        struct Own {
            usage: Option<Json>,
        }
        let own = || self.x_groq.as_ref()?.read::<Own>().ok()?.usage;
        self.usage.clone().filter(Json::is_object).or_else(|| own().filter(Json::is_object))
    }
}

#[derive(Deserialize)]
pub(super) struct Choice {
    pub(super) index: Option<Json>,
    message: Option<Message>,
    /// What a chunk adds to the message.
    pub(super) delta: Option<Message>,
    pub(super) finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
pub(super) struct Message {
    pub(super) content: Option<Json>,
    pub(super) refusal: Option<String>,
    reasoning: Option<Json>,
    reasoning_content: Option<Json>,
    reasoning_text: Option<Json>,
    reasoning_details: Option<Json>,
    pub(super) tool_calls: Option<Vec<Call>>,
}

#[derive(Deserialize)]
pub(super) struct Call {
    /// Which call a chunk goes on with.
    pub(super) index: Option<Json>,
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
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    /// Where DeepSeek says what it has read from its cache.
    prompt_cache_hit_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
    completion_tokens_details: Option<Map<String, Value>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PromptDetails {
    cached_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
}

/// Reads a reply.
///
/// # Errors
///
/// The provider's, without a status, when the reply has no choice to read.
pub(super) fn response(
    reply: &Reply,
    form: &ChatForm,
    names: &WireNames<'_>,
    provider_url: &str,
) -> Result<ModelResponse> {
    let mut completion: Completion = reply.json()?;
    let Some(choice) = completion.choices.take().into_iter().flatten().next() else {
        return Err(reply.lacks("choices"));
    };
    let message = choice.message.unwrap_or_default();
    let envelope = Envelope {
        usage: completion.usage(),
        id: completion.id,
        model: completion.model,
        finish_reason: choice.finish_reason,
        refusal: message.refusal.clone(),
    };
    Ok(envelope.response(form, parts(message, form, names), provider_url))
}

/// What a reply says besides its parts.
#[derive(Default)]
pub(super) struct Envelope {
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) usage: Option<Json>,
    pub(super) finish_reason: Option<String>,
    pub(super) refusal: Option<String>,
}

impl Envelope {
    /// The response with these parts, unless the model refused to give one.
    pub(super) fn response(self, form: &ChatForm, parts: Vec<ResponsePart>, provider_url: &str) -> ModelResponse {
        let refusal = self.refusal.filter(|text| !text.is_empty());
        let mut response = ModelResponse::new(if refusal.is_some() { Vec::new() } else { parts });
        response.usage = self.usage.and_then(|usage| usage.read().ok()).map(usage).unwrap_or_default();
        response.finish_reason = match refusal {
            Some(_) => Some(FinishReason::ContentFilter),
            None => finish_reason(self.finish_reason.as_deref()),
        };
        response.provider_details = details(self.finish_reason, refusal);
        response.model_name = self.model.filter(|name| !name.is_empty());
        response.provider_response_id = self.id.filter(|id| !id.is_empty());
        response.provider_name = Some(form.system.to_owned());
        response.provider_url = Some(provider_url.to_owned());
        response
    }
}

impl Message {
    /// The thoughts in full, where the server tells them so.
    pub(super) fn details(&self, form: &ChatForm) -> Vec<Detail> {
        match form.profile.thoughts {
            ThoughtForm::Details => Detail::all(self.reasoning_details.as_ref()),
            _ => Vec::new(),
        }
    }

    /// The thoughts, and the field they are in.
    pub(super) fn thought(&self) -> Option<(String, &'static str)> {
        let thoughts = [&self.reasoning, &self.reasoning_content, &self.reasoning_text];
        thoughts.into_iter().zip(THOUGHT_FIELDS).find_map(|(thought, field)| {
            let content = thought.as_ref()?.as_str().filter(|text| !text.is_empty())?;
            Some((content, field))
        })
    }
}

impl ChatForm {
    /// Thoughts that came in this field. They are told where they go back to, unless all of them go to the same place.
    pub(super) fn thinking(&self, content: String, field: &str) -> ThinkingPart {
        let mut part = ThinkingPart::new(content);
        if self.profile.thoughts != ThoughtForm::Tags {
            part.id = Some(field.to_owned());
            part.provider_name = Some(self.system.to_owned());
        }
        part
    }

    /// The parts of a text, in which thoughts may stand.
    pub(super) fn text_parts(&self, text: String) -> Vec<ResponsePart> {
        if !self.profile.think_tags {
            return vec![TextPart::new(text).into()];
        }
        let mut tags = ThinkTags::default();
        let pieces = tags.split(&text).into_iter().chain(tags.rest());
        let part = |piece| match piece {
            Piece::Text(text) => Some(TextPart::new(text).into()),
            Piece::Thought(thought) => Some(ResponsePart::Thinking(self.thinking(thought, TAGGED))),
            Piece::End => None,
        };
        pieces.filter_map(part).collect()
    }
}

fn parts(message: Message, form: &ChatForm, names: &WireNames<'_>) -> Vec<ResponsePart> {
    let mut thoughts: Vec<_> = message.details(form).into_iter().map(|detail| detail.part(form)).collect();
    if thoughts.is_empty() {
        thoughts.extend(message.thought().map(|(content, field)| form.thinking(content, field)));
    }
    let contents = message.content.as_ref().map(content_pieces).unwrap_or_default().into_iter();
    let contents = contents.flat_map(|piece| match piece {
        Piece::Text(text) => form.text_parts(text),
        Piece::Thought(thought) => vec![ResponsePart::Thinking(ThinkingPart::new(thought))],
        Piece::End => Vec::new(),
    });
    let calls = message.tool_calls.into_iter().flatten().map(|call| tool_call(call, names).into());
    thoughts.into_iter().map(ResponsePart::Thinking).chain(contents).chain(calls).collect()
}

/// What a content says: it is a text, or a list of parts, of which some are texts and some hold thoughts.
pub(super) fn content_pieces(content: &Json) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let items = if content.is_array() { content.read().unwrap_or_default() } else { vec![content.clone()] };
    for item in items {
        let (text, thought) = content_part(&item);
        pieces.extend(thought.map(Piece::Thought));
        match (pieces.last_mut(), text) {
            (Some(Piece::Text(before)), Some(text)) => before.push_str(&text),
            (_, text) => pieces.extend(text.map(Piece::Text)),
        }
    }
    pieces
}

/// The text and the thoughts of a part, which has but one of them.
fn content_part(part: &Json) -> (Option<String>, Option<String>) {
    #[derive(Default, Deserialize)]
    struct Part {
        text: Option<String>,
        /// Parts in turn.
        thinking: Option<Vec<Json>>,
    }
    if let Some(text) = part.as_str() {
        return (Some(text).filter(|text| !text.is_empty()), None);
    }
    let Part { text, thinking } = part.read().unwrap_or_default();
    let thoughts = thinking.into_iter().flatten().filter_map(|part| part.read::<Part>().ok()?.text);
    let filled = |text: &String| !text.is_empty();
    (text.filter(filled), Some(thoughts.collect()).filter(filled))
}

fn tool_call(call: Call, names: &WireNames<'_>) -> ToolCallPart {
    let (name, arguments) = call.function.map(|function| (function.name, function.arguments)).unwrap_or_default();
    let name = name.unwrap_or_default();
    ToolCallPart::new(names.original(&name), whole_arguments(arguments)).with_id(call.id.unwrap_or_default())
}

fn finish_reason(reason: Option<&str>) -> Option<FinishReason> {
    match reason {
        None | Some("" | "stop" | "eos_token" | "stop_sequence") => Some(FinishReason::Stop),
        Some("length" | "model_length" | "model_context_window_exceeded") => Some(FinishReason::Length),
        Some("tool_calls" | "function_call") => Some(FinishReason::ToolCall),
        Some("content_filter" | "sensitive") => Some(FinishReason::ContentFilter),
        Some("error" | "network_error") => Some(FinishReason::Error),
        Some(_) => None,
    }
}

fn details(finish_reason: Option<String>, refusal: Option<String>) -> Option<Json> {
    let details = match (refusal, finish_reason) {
        (Some(refusal), _) => ("refusal", refusal),
        (None, Some(reason)) => ("finish_reason", reason),
        (None, None) => return None,
    };
    Some(Value::Object(Map::from_iter([(details.0.to_owned(), details.1.into())])).into())
}

fn usage(usage: Usage) -> RequestUsage {
    let prompt = usage.prompt_tokens_details.unwrap_or_default();
    let mut details = usage.completion_tokens_details.unwrap_or_default();
    details.retain(|_, count| count.is_u64());
    RequestUsage {
        input_tokens: usage.prompt_tokens.unwrap_or_default(),
        output_tokens: usage.completion_tokens.unwrap_or_default(),
        cache_read_tokens: prompt.cached_tokens.or(usage.prompt_cache_hit_tokens).unwrap_or_default(),
        cache_write_tokens: prompt.cache_write_tokens.unwrap_or_default(),
        details,
        ..RequestUsage::default()
    }
}
