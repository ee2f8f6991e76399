//! What a model answered.

use serde::de::{self, Deserializer};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::attempt::FailedAttempt;
use super::file::BinaryContent;
use super::part::{
    BuiltinToolCallPart, BuiltinToolReturnPart, FilePart, TextPart, ThinkingPart, ToolCallPart, UnknownPart,
};
use super::request::MessageState;
use super::stored::{Extra, FieldError, Fields, Stored, stored};
use super::timestamp::Timestamp;
use crate::json::Json;
use crate::usage::RequestUsage;

stored! {
    /// A model's answer.
    pub struct ModelResponse, "response" {
        /// What it says, in order.
        parts: Vec<ResponsePart> = optional,
        /// What it cost.
        usage: RequestUsage = optional,
        /// The model that answered, as the provider names it.
        model_name: Option<String> = optional,
        /// When the answer came.
        timestamp: Option<Timestamp> = optional,
        /// The provider.
        provider_name: Option<String> = optional,
        /// Where the provider was reached.
        provider_url: Option<String> = optional,
        /// What only that provider understands.
        provider_details: Option<Json> = optional,
        /// The provider's id of the response.
        provider_response_id: Option<String> = optional,
        /// Why the model stopped.
        finish_reason: Option<FinishReason> = optional,
        /// Attempts at this response that came to nothing, of other models; see
        /// [`FallbackModel`](crate::model::FallbackModel). What they cost is not in `usage`, but counts for the run.
        failed_attempts: Vec<FailedAttempt> = optional,
        /// The run it belongs to.
        run_id: Option<String> = optional,
        /// The conversation it belongs to.
        conversation_id: Option<String> = optional,
        /// Application data, never sent.
        metadata: Option<Json> = optional,
        /// Whether it is whole.
        state: MessageState = optional,
    }
}

impl ModelResponse {
    /// A response with these parts.
    #[must_use]
    pub fn new(parts: Vec<ResponsePart>) -> Self {
        Self {
            parts,
            usage: RequestUsage::default(),
            model_name: None,
            timestamp: Some(Timestamp::now()),
            provider_name: None,
            provider_url: None,
            provider_details: None,
            provider_response_id: None,
            finish_reason: None,
            failed_attempts: Vec::new(),
            run_id: None,
            conversation_id: None,
            metadata: None,
            state: MessageState::Complete,
            extra: Extra::default(),
        }
    }

    /// The response that says this text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(vec![ResponsePart::Text(TextPart::new(text))])
    }

    /// The files that the model made, in order.
    pub fn files(&self) -> impl Iterator<Item = &BinaryContent> {
        self.parts.iter().filter_map(|part| match part {
            ResponsePart::File(file) => Some(&file.content),
            _ => None,
        })
    }

    /// The calls, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCallPart> {
        self.parts.iter().filter_map(|part| match part {
            ResponsePart::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// It was done.
    Stop,
    /// It ran out of tokens.
    Length,
    /// The provider's filter stopped it.
    ContentFilter,
    /// It waits for the answers to its calls.
    ToolCall,
    /// Something broke.
    Error,
}

/// One part of a [`ModelResponse`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ResponsePart {
    /// Words.
    Text(TextPart),
    /// Thoughts.
    Thinking(ThinkingPart),
    /// A file that it made.
    File(FilePart),
    /// A call of a tool.
    ToolCall(ToolCallPart),
    /// A call of a provider's own tool.
    BuiltinToolCall(BuiltinToolCallPart),
    /// What that gave back.
    BuiltinToolReturn(BuiltinToolReturnPart),
    /// A part of a newer version.
    Unknown(UnknownPart),
}

impl From<TextPart> for ResponsePart {
    fn from(part: TextPart) -> Self {
        Self::Text(part)
    }
}

impl From<FilePart> for ResponsePart {
    fn from(part: FilePart) -> Self {
        Self::File(part)
    }
}

impl From<ToolCallPart> for ResponsePart {
    fn from(part: ToolCallPart) -> Self {
        Self::ToolCall(part)
    }
}

impl Serialize for ResponsePart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn tagged<S: Serializer, P: Stored>(serializer: S, part: &P) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            part.write(&mut map)?;
            map.serialize_entry("part_kind", P::TAG)?;
            map.end()
        }
        match self {
            Self::Text(part) => tagged(serializer, part),
            Self::Thinking(part) => tagged(serializer, part),
            Self::File(part) => tagged(serializer, part),
            Self::ToolCall(part) => tagged(serializer, part),
            Self::BuiltinToolCall(part) => tagged(serializer, part),
            Self::BuiltinToolReturn(part) => {
                let mut map = serializer.serialize_map(None)?;
                part.write(&mut map)?;
                map.serialize_entry("part_kind", BuiltinToolReturnPart::TAG)?;
                if let Some(digests) = part.content.file_digests() {
                    map.serialize_entry("content_file_digests", &digests)?;
                }
                map.end()
            }
            Self::Unknown(part) => part.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ResponsePart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        let fields: Fields = json.read().map_err(de::Error::custom)?;
        let Some(kind) = fields.tag("part_kind") else {
            return Err(de::Error::missing_field("part_kind"));
        };
        read_part(&kind, fields, json).map_err(|error| de::Error::custom(format!("part `{kind}`: {error}")))
    }
}

fn read_part(kind: &str, mut fields: Fields, json: Json) -> Result<ResponsePart, FieldError> {
    let known = [
        TextPart::TAG,
        ThinkingPart::TAG,
        FilePart::TAG,
        ToolCallPart::TAG,
        BuiltinToolCallPart::TAG,
        BuiltinToolReturnPart::TAG,
    ];
    if !known.contains(&kind) {
        return Ok(ResponsePart::Unknown(UnknownPart(json)));
    }
    let _: Option<String> = fields.take("part_kind")?;
    match kind {
        TextPart::TAG => TextPart::from_fields(fields).map(ResponsePart::Text),
        ThinkingPart::TAG => ThinkingPart::from_fields(fields).map(ResponsePart::Thinking),
        // A file of a form that only a newer version knows is kept as it is.
        FilePart::TAG => {
            Ok(FilePart::from_fields(fields).map_or(ResponsePart::Unknown(UnknownPart(json)), ResponsePart::File))
        }
        ToolCallPart::TAG => {
            let mut call = ToolCallPart::from_fields(fields)?;
            call.ensure_id();
            Ok(ResponsePart::ToolCall(call))
        }
        BuiltinToolCallPart::TAG => BuiltinToolCallPart::from_fields(fields).map(ResponsePart::BuiltinToolCall),
        _ => {
            let digests: Vec<String> = fields.take("content_file_digests")?.unwrap_or_default();
            let mut part = BuiltinToolReturnPart::from_fields(fields)?;
            part.content = part.content.revive_urls(&digests);
            Ok(ResponsePart::BuiltinToolReturn(part))
        }
    }
}
