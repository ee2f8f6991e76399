//! Parts that requests and responses share, and what a part of an unknown kind becomes.

use std::fmt;

use serde::de::{self, Deserializer};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::arguments::Arguments;
use super::content::ToolContent;
use super::stored::{Extra, Fields, Stored, stored};
use super::timestamp::Timestamp;
use crate::json::Json;
#[cfg(any(feature = "anthropic", feature = "openai"))]
use crate::search::{PROVIDER_SEARCH, SEARCH_KIND};

stored! {
    /// A text.
    pub struct TextPart, "text" {
        /// The characters.
        content: String = required,
        /// The provider's id of the part.
        id: Option<String> = optional,
        /// The provider the part came from.
        provider_name: Option<String> = optional,
        /// What only that provider understands.
        provider_details: Option<Json> = optional,
    }
}

impl TextPart {
    /// A text.
    #[must_use]
    pub fn new(content: impl Into<String>) -> Self {
        Self { content: content.into(), id: None, provider_name: None, provider_details: None, extra: Extra::default() }
    }
}

stored! {
    /// What a model thought before it answered.
    pub struct ThinkingPart, "thinking" {
        /// The thoughts, or nothing where the provider keeps them to itself.
        content: String = shown,
        /// The provider's id of the part.
        id: Option<String> = optional,
        /// The provider's proof that the thoughts are its own.
        signature: Option<String> = optional,
        /// The provider the part came from.
        provider_name: Option<String> = optional,
        /// What only that provider understands.
        provider_details: Option<Json> = optional,
    }
}

impl ThinkingPart {
    /// Thoughts.
    #[must_use]
    pub fn new(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            id: None,
            signature: None,
            provider_name: None,
            provider_details: None,
            extra: Extra::default(),
        }
    }
}

stored! {
    /// A model's call of a tool.
    pub struct ToolCallPart, "tool-call" {
        /// The tool's name, as the model wrote it.
        tool_name: String = required,
        /// The arguments, as the model wrote them.
        args: Arguments = optional,
        /// The call's id, unique among the calls of a response.
        tool_call_id: String = optional,
        /// The id of the tool's kind.
        tool_kind: Option<String> = optional,
        /// The provider's id of the part.
        id: Option<String> = optional,
        /// The provider the part came from.
        provider_name: Option<String> = optional,
        /// What only that provider understands.
        provider_details: Option<Json> = optional,
    }
}

impl ToolCallPart {
    /// A call with an id of ours.
    #[must_use]
    pub fn new(tool_name: impl Into<String>, args: impl Into<Arguments>) -> Self {
        Self {
            tool_name: tool_name.into(),
            args: args.into(),
            tool_call_id: new_call_id(),
            tool_kind: None,
            id: None,
            provider_name: None,
            provider_details: None,
            extra: Extra::default(),
        }
    }

    /// Sets the call's id. An empty one is replaced by one of ours: a call and its answer need something to share.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.tool_call_id = id.into();
        self.ensure_id();
        self
    }

    pub(crate) fn ensure_id(&mut self) {
        if self.tool_call_id.is_empty() {
            self.tool_call_id = new_call_id();
        }
    }
}

/// A call id that no other call has.
pub(crate) fn new_call_id() -> String {
    format!("call_{}", crate::id::unique())
}

/// How a call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The tool gave a result.
    #[default]
    Success,
    /// The call is complete, without success.
    Failed,
    /// A person said no.
    Denied,
    /// The run ended before the tool did.
    Interrupted,
    /// The model is asked to try again.
    Retried,
}

/// Why the model is asked to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RetryCause {
    /// The arguments do not fit.
    ValidationError,
    /// A tool, an argument validator or an output tool asked for it, or whoever answered a call that waited; or the call
    /// took too long.
    ModelRetry,
    /// No tool has that name.
    UnknownTool,
    /// The tool is not available yet.
    UnavailableTool,
    /// The response held nothing that could be the run's output.
    NoOutput,
}

/// How often the model was asked already, and how often it will be at most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RetryInfo {
    /// Why.
    pub cause: RetryCause,
    /// Which attempt this is, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// How many there may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_retries: Option<u32>,
}

impl RetryInfo {
    /// Attempt number `attempt`, from 1, of `max_retries`.
    #[must_use]
    pub fn new(cause: RetryCause, attempt: u32, max_retries: u32) -> Self {
        Self { cause, attempt: Some(attempt), max_retries: Some(max_retries) }
    }
}

stored! {
    /// The answer to a call of a tool.
    pub struct ToolReturnPart, "tool-return" {
        /// The tool's name, as the model called it.
        tool_name: String = required,
        /// What the tool gave back, or why it did not.
        content: ToolContent = optional,
        /// The call's id.
        tool_call_id: String = required,
        /// The id of the tool's kind.
        tool_kind: Option<String> = optional,
        /// What the application wants to keep with the result; never sent.
        metadata: Option<Json> = optional,
        /// When the answer came.
        timestamp: Option<Timestamp> = optional,
        /// How the call ended.
        outcome: Outcome = shown,
        /// Why and how often the model is asked to try again; only with [`Outcome::Retried`].
        retry: Option<RetryInfo> = optional,
    }
}

impl ToolReturnPart {
    /// The answer to `call`.
    #[must_use]
    pub fn answer(call: &ToolCallPart, content: impl Into<ToolContent>, outcome: Outcome) -> Self {
        Self {
            tool_name: call.tool_name.clone(),
            content: content.into(),
            tool_call_id: call.tool_call_id.clone(),
            tool_kind: call.tool_kind.clone(),
            metadata: None,
            timestamp: Some(Timestamp::now()),
            outcome,
            retry: None,
            extra: Extra::default(),
        }
    }

    /// Keeps `retry` with the answer.
    #[must_use]
    pub(crate) fn with_retry(mut self, retry: RetryInfo) -> Self {
        self.retry = Some(retry);
        self
    }
}

stored! {
    /// A provider's own tool that the model called and the provider ran.
    pub struct BuiltinToolCallPart, "builtin-tool-call" {
        /// The tool's name.
        tool_name: String = required,
        /// The arguments.
        args: Arguments = optional,
        /// The call's id.
        tool_call_id: String = optional,
        /// The id of the tool's kind.
        tool_kind: Option<String> = optional,
        /// The provider's id of the part.
        id: Option<String> = optional,
        /// The provider.
        provider_name: Option<String> = optional,
        /// What only that provider understands.
        provider_details: Option<Json> = optional,
    }
}

impl BuiltinToolCallPart {
    /// A call of a tool that this provider runs, about which nothing is known yet.
    #[cfg(any(feature = "anthropic", feature = "google", feature = "openai"))]
    pub(crate) fn of(provider: &str) -> Self {
        Self {
            tool_name: String::new(),
            args: Arguments::absent(),
            tool_call_id: String::new(),
            tool_kind: None,
            id: None,
            provider_name: Some(provider.to_owned()),
            provider_details: None,
            extra: Extra::default(),
        }
    }

    /// A search for tools that a provider runs itself.
    #[cfg(any(feature = "anthropic", feature = "openai"))]
    pub(crate) fn search(provider: &str, id: String, queries: &[String]) -> Self {
        let queries = serde_json::json!({"queries": queries});
        Self {
            tool_name: PROVIDER_SEARCH.to_owned(),
            args: queries.into(),
            tool_call_id: id,
            tool_kind: Some(SEARCH_KIND.to_owned()),
            ..Self::of(provider)
        }
    }

    /// What a search for tools asks for.
    #[cfg(feature = "anthropic")]
    pub(crate) fn queries(&self) -> Vec<String> {
        let queries = self.args.to_object().remove("queries");
        queries.and_then(|queries| serde_json::from_value(queries).ok()).unwrap_or_default()
    }
}

stored! {
    /// What a provider's own tool gave back.
    pub struct BuiltinToolReturnPart, "builtin-tool-return" {
        /// The tool's name.
        tool_name: String = required,
        /// The result.
        content: ToolContent = optional,
        /// The call's id.
        tool_call_id: String = optional,
        /// The id of the tool's kind.
        tool_kind: Option<String> = optional,
        /// What the application wants to keep with the result; never sent.
        metadata: Option<Json> = optional,
        /// When the result came.
        timestamp: Option<Timestamp> = optional,
        /// How the call ended.
        outcome: Outcome = shown,
        /// The provider.
        provider_name: Option<String> = optional,
        /// What only that provider understands.
        provider_details: Option<Json> = optional,
    }
}

impl BuiltinToolReturnPart {
    /// The result of a tool that this provider runs, about which nothing is known yet.
    #[cfg(any(feature = "anthropic", feature = "google", feature = "openai"))]
    pub(crate) fn of(provider: &str) -> Self {
        Self {
            tool_name: String::new(),
            content: Json::null().into(),
            tool_call_id: String::new(),
            tool_kind: None,
            metadata: None,
            timestamp: Some(Timestamp::now()),
            outcome: Outcome::Success,
            provider_name: Some(provider.to_owned()),
            provider_details: None,
            extra: Extra::default(),
        }
    }

    /// The tools that a provider found itself.
    #[cfg(any(feature = "anthropic", feature = "openai"))]
    pub(crate) fn found(provider: &str, call_id: String, names: &[String]) -> Self {
        let tools: Vec<_> = names.iter().map(|name| serde_json::json!({"name": name})).collect();
        Self {
            tool_name: PROVIDER_SEARCH.to_owned(),
            content: serde_json::json!({"discovered_tools": tools}).into(),
            tool_call_id: call_id,
            tool_kind: Some(SEARCH_KIND.to_owned()),
            ..Self::of(provider)
        }
    }
}

/// A part of a kind that this version does not know: kept whole, stored again, left out of requests.
#[derive(Clone, PartialEq)]
pub struct UnknownPart(pub(super) Json);

impl UnknownPart {
    /// The part as it was stored.
    #[must_use]
    pub fn json(&self) -> &Json {
        &self.0
    }
}

impl fmt::Debug for UnknownPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UnknownPart({})", self.0)
    }
}

/// Application data beside a message or a call.
pub type Metadata = Map<String, Value>;

/// A call also stands alone, outside any response: in requests that wait for somebody.
impl Serialize for ToolCallPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.write(&mut map)?;
        map.serialize_entry("part_kind", Self::TAG)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for ToolCallPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let _: Option<String> = fields.take("part_kind").map_err(de::Error::custom)?;
        let mut call = Self::from_fields(fields).map_err(de::Error::custom)?;
        call.ensure_id();
        Ok(call)
    }
}
