//! What a reply says. Only what cannot be done without is demanded of it.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::SYSTEM;
use super::native::{Grounding, Invocation, NativePart};
use super::usage::UsageMetadata;
use crate::error::Result;
use crate::http::Reply;
use crate::json::Json;
use crate::message::{
    Arguments, File, FinishReason, ModelResponse, ResponsePart, TextPart, ThinkingPart, ToolCallPart,
};
use crate::provider::name::WireNames;

/// Where parts keep the proof of the thoughts behind them. Other programs store it there, too.
pub(super) const SIGNATURE: &str = "thought_signature";

/// A reply, or a chunk of one that is streamed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Completion {
    pub(super) candidates: Option<Vec<Candidate>>,
    pub(super) prompt_feedback: Option<PromptFeedback>,
    pub(super) usage_metadata: Option<Json>,
    pub(super) model_version: Option<String>,
    pub(super) response_id: Option<String>,
    pub(super) error: Option<Json>,
}

impl Completion {
    /// Whether it says nothing that a reply can say.
    pub(super) fn is_empty(&self) -> bool {
        self.candidates.is_none() && self.prompt_feedback.is_none() && self.usage_metadata.is_none()
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Candidate {
    index: Option<Json>,
    content: Option<Content>,
    finish_reason: Option<String>,
    safety_ratings: Option<Json>,
    grounding_metadata: Option<Json>,
}

#[derive(Deserialize)]
struct Content {
    parts: Option<Vec<Part>>,
}

/// Why a prompt was not answered.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PromptFeedback {
    block_reason: Option<String>,
    block_reason_message: Option<String>,
    safety_ratings: Option<Json>,
}

/// One part of a candidate; what is none of these is of no use here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part {
    text: Option<String>,
    thought: Option<bool>,
    thought_signature: Option<String>,
    function_call: Option<FunctionCall>,
    inline_data: Option<Blob>,
    executable_code: Option<Json>,
    code_execution_result: Option<Json>,
    tool_call: Option<Invocation>,
    tool_response: Option<Invocation>,
}

#[derive(Deserialize)]
struct FunctionCall {
    id: Option<String>,
    name: Option<String>,
    args: Option<Json>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Blob {
    mime_type: Option<String>,
    data: Option<String>,
}

/// Reads a reply.
///
/// # Errors
///
/// The provider's, without a status, when the reply neither answers the prompt nor says that it is blocked.
pub(super) fn response(reply: &Reply, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse> {
    let completion: Completion = reply.json()?;
    let mut envelope = Envelope::default();
    let Some(candidate) = envelope.take(completion) else {
        return match envelope.is_blocked() {
            true => Ok(envelope.response(Vec::new(), provider_url)),
            false => Err(reply.lacks("candidates")),
        };
    };
    let mut parts: Vec<_> = Vec::new();
    for part in envelope.open(candidate) {
        parts.extend(envelope.read(part, names));
    }
    parts.extend(envelope.searches().into_iter().flatten());
    Ok(envelope.response(parts, provider_url))
}

/// What a reply says besides its parts; of a streamed one, what it has said last.
#[derive(Default)]
pub(super) struct Envelope {
    id: Option<String>,
    model: Option<String>,
    usage: UsageMetadata,
    finish_reason: Option<String>,
    blocked: PromptFeedback,
    safety_ratings: Option<Json>,
    /// The searches behind the reply, where its parts do not tell of them.
    grounding: Grounding,
    has_invocations: bool,
    /// The id of the code that ran last.
    running: String,
}

impl Envelope {
    /// Takes what a reply or a chunk says and gives its first candidate.
    pub(super) fn take(&mut self, completion: Completion) -> Option<Candidate> {
        replace(&mut self.id, completion.response_id);
        replace(&mut self.model, completion.model_version);
        if let Some(usage) = completion.usage_metadata.and_then(|usage| usage.read().ok()) {
            self.usage.update(usage);
        }
        if let Some(feedback) = completion.prompt_feedback.filter(|feedback| feedback.block_reason.is_some()) {
            self.blocked = feedback;
        }
        let is_first = |candidate: &Candidate| candidate.index.as_ref().is_none_or(|index| index.text() == "0");
        completion.candidates.into_iter().flatten().find(is_first)
    }

    /// Takes what a candidate says and gives its parts.
    pub(super) fn open(&mut self, candidate: Candidate) -> Vec<Part> {
        replace(&mut self.finish_reason, candidate.finish_reason);
        if let Some(ratings) = candidate.safety_ratings {
            self.safety_ratings = Some(ratings);
        }
        if let Some(grounding) = candidate.grounding_metadata.and_then(|grounding| grounding.read().ok()) {
            self.grounding = grounding;
        }
        candidate.content.and_then(|content| content.parts).unwrap_or_default()
    }

    /// The part of a response that `part` is.
    pub(super) fn read(&mut self, part: Part, names: &WireNames<'_>) -> Option<ResponsePart> {
        self.has_invocations |= part.tool_call.is_some() || part.tool_response.is_some();
        part.read(names, &mut self.running)
    }

    /// What the reply says of searches beside its parts.
    pub(super) fn searches(&mut self) -> Option<[ResponsePart; 2]> {
        std::mem::take(&mut self.grounding).parts().filter(|_| !self.has_invocations)
    }

    /// Whether the prompt was not let through.
    pub(super) fn is_blocked(&self) -> bool {
        self.blocked.block_reason.is_some()
    }

    /// Whether it was said why the model stopped, or that the prompt was not let through.
    pub(super) fn has_ended(&self) -> bool {
        self.finish_reason.is_some() || self.is_blocked()
    }

    /// The response with these parts.
    pub(super) fn response(self, parts: Vec<ResponsePart>, provider_url: &str) -> ModelResponse {
        let mut response = ModelResponse::new(parts);
        response.finish_reason = match self.is_blocked() {
            true => Some(FinishReason::ContentFilter),
            false => self.finish_reason.as_deref().and_then(finish_reason),
        };
        response.usage = self.usage.usage();
        response.provider_details = details([
            ("finish_reason", self.finish_reason.map(Value::from)),
            ("block_reason", self.blocked.block_reason.map(Value::from)),
            ("block_reason_message", self.blocked.block_reason_message.map(Value::from)),
            ("safety_ratings", self.blocked.safety_ratings.or(self.safety_ratings).map(|ratings| ratings.to_value())),
        ]);
        response.model_name = self.model;
        response.provider_response_id = self.id;
        response.provider_name = Some(SYSTEM.to_owned());
        response.provider_url = Some(provider_url.to_owned());
        response
    }
}

impl Part {
    /// The part of a response that this is; nothing for what says nothing, or nothing that is known.
    fn read(self, names: &WireNames<'_>, running: &mut String) -> Option<ResponsePart> {
        let signature = self.thought_signature.filter(|signature| !signature.is_empty());
        let native = NativePart {
            executable_code: self.executable_code,
            code_execution_result: self.code_execution_result,
            tool_call: self.tool_call,
            tool_response: self.tool_response,
        };
        if let Some(native) = native.read(signature.as_ref(), running) {
            return Some(native);
        }
        // A part without a proof is not marked as the provider's own: its response is.
        let provider_name = signature.as_ref().map(|_| SYSTEM.to_owned());
        let provider_details = details([(SIGNATURE, signature.map(Value::from))]);
        let is_thought = self.thought == Some(true);
        if let Some(text) = self.text.filter(|text| !text.is_empty() || provider_details.is_some()) {
            return Some(match is_thought {
                true => {
                    ResponsePart::Thinking(ThinkingPart { provider_name, provider_details, ..ThinkingPart::new(text) })
                }
                false => TextPart { provider_name, provider_details, ..TextPart::new(text) }.into(),
            });
        }
        if let Some(call) = self.function_call {
            let name = call.name.unwrap_or_default();
            let arguments = call.args.map_or_else(Arguments::absent, Arguments::from_json);
            let call = ToolCallPart::new(names.original(&name), arguments).with_id(call.id.unwrap_or_default());
            return Some(ToolCallPart { provider_name, provider_details, ..call }.into());
        }
        // Images that were thoughts are drafts of the one that follows.
        self.inline_data.filter(|_| !is_thought).and_then(|blob| blob.read(provider_details))
    }
}

impl Blob {
    /// A file that a model made: kept in the history as other programs store it.
    fn read(self, provider_details: Option<Json>) -> Option<ResponsePart> {
        let file = json!({"kind": "binary", "data": self.data?, "media_type": self.mime_type?});
        let file: File = serde_json::from_value(file).ok()?;
        let part = json!({
            "content": file, "id": null, "provider_name": SYSTEM, "provider_details": provider_details, "part_kind": "file",
        });
        serde_json::from_value(part).ok()
    }
}

/// An object of those that are there.
fn details<const N: usize>(entries: [(&str, Option<Value>); N]) -> Option<Json> {
    let entries = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    let details = Map::from_iter(entries);
    (!details.is_empty()).then(|| Value::Object(details).into())
}

fn finish_reason(reason: &str) -> Option<FinishReason> {
    match reason {
        "STOP" => Some(FinishReason::Stop),
        "MAX_TOKENS" | "CONTINUATION" => Some(FinishReason::Length),
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION"
        | "MODEL_ARMOR" => Some(FinishReason::ContentFilter),
        "LANGUAGE"
        | "MALFORMED_FUNCTION_CALL"
        | "UNEXPECTED_TOOL_CALL"
        | "TOO_MANY_TOOL_CALLS"
        | "MALFORMED_RESPONSE"
        | "MISSING_THOUGHT_SIGNATURE"
        | "NO_IMAGE" => Some(FinishReason::Error),
        _ => None,
    }
}

/// Takes what is newer, unless it is empty.
fn replace(known: &mut Option<String>, newer: Option<String>) {
    if newer.as_ref().is_some_and(|text| !text.is_empty()) {
        *known = newer;
    }
}
