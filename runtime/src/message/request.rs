//! What is sent to a model: prompts, answers to its calls, and feedback.

use serde::de::{self, Deserializer};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::content::Prompt;
use super::part::{Outcome, RetryCause, RetryInfo, ToolReturnPart, UnknownPart};
use super::stored::{Extra, Fields, Stored, stored};
use super::timestamp::Timestamp;
use crate::json::Json;

stored! {
    /// A message to the model.
    pub struct ModelRequest, "request" {
        /// What it says, in order.
        parts: Vec<RequestPart> = optional,
        /// The agent's instructions for this request.
        instructions: Option<String> = optional,
        /// When it was made.
        timestamp: Option<Timestamp> = optional,
        /// The run it belongs to.
        run_id: Option<String> = optional,
        /// The conversation it belongs to.
        conversation_id: Option<String> = optional,
        /// Application data, never sent.
        metadata: Option<Json> = optional,
        /// Whether it is whole, or what a run had when it was interrupted.
        state: MessageState = optional,
    }
}

impl ModelRequest {
    /// A request with these parts.
    #[must_use]
    pub fn new(parts: Vec<RequestPart>) -> Self {
        Self {
            parts,
            instructions: None,
            timestamp: Some(Timestamp::now()),
            run_id: None,
            conversation_id: None,
            metadata: None,
            state: MessageState::Complete,
            extra: Extra::default(),
        }
    }
}

/// Whether a message is whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MessageState {
    /// Whole.
    #[default]
    Complete,
    /// What there was when the run ended early.
    Interrupted,
    /// A response whose provider still works on it.
    Suspended,
}

/// One part of a [`ModelRequest`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RequestPart {
    /// Words of the application that stand above the user's.
    SystemPrompt(SystemPromptPart),
    /// What the user says.
    UserPrompt(UserPromptPart),
    /// The answer to a call.
    ToolReturn(ToolReturnPart),
    /// What was wrong with the model's last response.
    RetryFeedback(RetryFeedbackPart),
    /// Tools that the model has from here on.
    ToolAvailabilityDelta(ToolAvailabilityDeltaPart),
    /// Capabilities that the model has loaded.
    CapabilityLoadDelta(CapabilityLoadDeltaPart),
    /// A part of a newer version.
    Unknown(UnknownPart),
}

stored! {
    /// Words of the application that stand above the user's.
    pub struct SystemPromptPart, "system-prompt" {
        /// The words.
        content: String = required,
        /// When they were said.
        timestamp: Option<Timestamp> = optional,
    }
}

impl SystemPromptPart {
    /// These words.
    #[must_use]
    pub fn new(content: impl Into<String>) -> Self {
        Self { content: content.into(), timestamp: Some(Timestamp::now()), extra: Extra::default() }
    }
}

stored! {
    /// What the user says.
    pub struct UserPromptPart, "user-prompt" {
        /// Words and files.
        content: Prompt = required,
        /// When it was said.
        timestamp: Option<Timestamp> = optional,
    }
}

impl UserPromptPart {
    /// This content.
    #[must_use]
    pub fn new(content: impl Into<Prompt>) -> Self {
        Self { content: content.into(), timestamp: Some(Timestamp::now()), extra: Extra::default() }
    }
}

stored! {
    /// What was wrong with the model's last response, where no call can carry it.
    pub struct RetryFeedbackPart, "retry-feedback" {
        /// A text, or a list of validation errors.
        content: Json = required,
        /// Why and how often the model is asked to try again.
        retry: Option<RetryInfo> = optional,
        /// When it was said.
        timestamp: Option<Timestamp> = optional,
    }
}

impl RetryFeedbackPart {
    /// This feedback.
    #[must_use]
    pub fn new(content: impl Into<Json>, retry: RetryInfo) -> Self {
        Self { content: content.into(), retry: Some(retry), timestamp: Some(Timestamp::now()), extra: Extra::default() }
    }
}

stored! {
    /// Tools that the model has from here on.
    pub struct ToolAvailabilityDeltaPart, "tool-availability-delta" {
        /// Their names.
        tools_added: Vec<String> = optional,
        /// The call that revealed them; none for tools that appeared by themselves.
        tool_call_id: Option<String> = optional,
    }
}

impl ToolAvailabilityDeltaPart {
    /// These tools, revealed by that call.
    #[must_use]
    pub fn new(tools_added: Vec<String>, tool_call_id: Option<String>) -> Self {
        Self { tools_added, tool_call_id, extra: Extra::default() }
    }
}

stored! {
    /// Capabilities that the model has loaded.
    pub struct CapabilityLoadDeltaPart, "capability-load-delta" {
        /// Their ids.
        loaded: Vec<String> = optional,
        /// The call that loaded them.
        tool_call_id: Option<String> = optional,
    }
}

impl Serialize for RequestPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn tagged<S: Serializer, P: Stored>(serializer: S, part: &P) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            part.write(&mut map)?;
            map.serialize_entry("part_kind", P::TAG)?;
            map.end()
        }
        match self {
            Self::SystemPrompt(part) => tagged(serializer, part),
            Self::UserPrompt(part) => tagged(serializer, part),
            Self::ToolReturn(part) => {
                let mut map = serializer.serialize_map(None)?;
                part.write(&mut map)?;
                map.serialize_entry("part_kind", ToolReturnPart::TAG)?;
                if let Some(digests) = part.content.file_digests() {
                    map.serialize_entry("content_file_digests", &digests)?;
                }
                map.end()
            }
            Self::RetryFeedback(part) => tagged(serializer, part),
            Self::ToolAvailabilityDelta(part) => tagged(serializer, part),
            Self::CapabilityLoadDelta(part) => tagged(serializer, part),
            Self::Unknown(part) => part.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for RequestPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        let mut fields: Fields = json.read().map_err(de::Error::custom)?;
        let Some(kind) = fields.tag("part_kind") else {
            return Err(de::Error::missing_field("part_kind"));
        };
        // Older programs called the list `added`.
        if kind == ToolAvailabilityDeltaPart::TAG && !fields.has("tools_added") {
            fields.rename("added", "tools_added");
        }
        read_part(&kind, fields, json).map_err(|error| de::Error::custom(format!("part `{kind}`: {error}")))
    }
}

fn read_part(kind: &str, mut fields: Fields, json: Json) -> Result<RequestPart, super::stored::FieldError> {
    if kind == "retry-prompt" {
        return legacy_retry(fields);
    }
    let known = [
        SystemPromptPart::TAG,
        UserPromptPart::TAG,
        ToolReturnPart::TAG,
        RetryFeedbackPart::TAG,
        ToolAvailabilityDeltaPart::TAG,
        CapabilityLoadDeltaPart::TAG,
    ];
    if !known.contains(&kind) {
        return Ok(RequestPart::Unknown(UnknownPart(json)));
    }
    let _: Option<String> = fields.take("part_kind")?;
    match kind {
        SystemPromptPart::TAG => SystemPromptPart::from_fields(fields).map(RequestPart::SystemPrompt),
        UserPromptPart::TAG => UserPromptPart::from_fields(fields).map(RequestPart::UserPrompt),
        ToolReturnPart::TAG => {
            let digests: Vec<String> = fields.take("content_file_digests")?.unwrap_or_default();
            let mut part = ToolReturnPart::from_fields(fields)?;
            part.content = part.content.revive_urls(&digests);
            Ok(RequestPart::ToolReturn(part))
        }
        RetryFeedbackPart::TAG => RetryFeedbackPart::from_fields(fields).map(RequestPart::RetryFeedback),
        ToolAvailabilityDeltaPart::TAG => {
            ToolAvailabilityDeltaPart::from_fields(fields).map(RequestPart::ToolAvailabilityDelta)
        }
        _ => CapabilityLoadDeltaPart::from_fields(fields).map(RequestPart::CapabilityLoadDelta),
    }
}

/// Reads the part in which older programs stored every request to try again.
fn legacy_retry(mut fields: Fields) -> Result<RequestPart, super::stored::FieldError> {
    let _: Option<String> = fields.take("part_kind")?;
    let content: Json = fields.require("content")?;
    let tool_name: Option<String> = fields.take("tool_name")?;
    let tool_call_id: Option<String> = fields.take("tool_call_id")?;
    let timestamp = fields.take("timestamp")?;
    // Such a part has no fields of these names; what it becomes has, and must not be given them by accident.
    for key in ["retry", "tool_kind", "metadata", "outcome", "content_file_digests"] {
        let _: Option<Json> = fields.take(key)?;
    }
    let extra = fields.rest();
    Ok(match tool_name {
        Some(tool_name) => RequestPart::ToolReturn(ToolReturnPart {
            tool_name,
            content: content.into(),
            tool_call_id: tool_call_id.unwrap_or_default(),
            tool_kind: None,
            metadata: None,
            timestamp,
            outcome: Outcome::Retried,
            retry: None,
            extra,
        }),
        None => RequestPart::RetryFeedback(RetryFeedbackPart {
            content,
            retry: Some(RetryInfo { cause: RetryCause::ModelRetry, attempt: None, max_retries: None }),
            timestamp,
            extra,
        }),
    })
}
