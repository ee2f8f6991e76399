//! Calls that wait for somebody outside the run: for approval, or for a result.

use std::collections::BTreeMap;

use serde::de::{self, Deserializer};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::{Arguments, Metadata, Prompt, ToolCallPart, ToolContent};
use crate::tool::ToolReturn;

/// Calls that wait for somebody outside the run.
///
/// Can be stored and sent. Answer with [`DeferredToolResults`], made with [`approve`](Self::approve),
/// [`deny`](Self::deny) and [`result`](Self::result), and go on with
/// [`Agent::resume`](crate::Agent::resume) (specification: behaviours 11, decision 3).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeferredToolRequests {
    /// Calls whose results come from elsewhere.
    pub calls: Vec<ToolCallPart>,
    /// Calls that run once they are approved.
    pub approvals: Vec<ToolCallPart>,
    /// What tools gave with their requests, by call id.
    pub metadata: BTreeMap<String, Metadata>,
}

impl DeferredToolRequests {
    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.approvals.is_empty()
    }

    /// Approves the call `id` with the arguments shown here. Should the stored call have others when the run goes on,
    /// the approval is refused.
    ///
    /// # Errors
    ///
    /// When no call of that id waits for approval.
    pub fn approve(&self, id: &str) -> Result<DeferredToolResults> {
        let call = find(&self.approvals, id, "approval")?;
        let approval = Approval::Approved { override_args: None, fingerprint: Some(fingerprint(call)) };
        Ok(DeferredToolResults::new().approval(id, approval))
    }

    /// Denies the call `id`; the model is told `message`.
    ///
    /// # Errors
    ///
    /// When no call of that id waits for approval.
    pub fn deny(&self, id: &str, message: impl Into<String>) -> Result<DeferredToolResults> {
        find(&self.approvals, id, "approval")?;
        Ok(DeferredToolResults::new().deny(id, Some(message.into())))
    }

    /// Gives the result of the call `id`.
    ///
    /// # Errors
    ///
    /// When no call of that id waits for a result.
    pub fn result(&self, id: &str, value: impl Into<ToolContent>) -> Result<DeferredToolResults> {
        find(&self.calls, id, "a result")?;
        Ok(DeferredToolResults::new().result(id, value))
    }

    /// Approves every call that waits for approval.
    #[must_use]
    pub fn approve_all(&self) -> DeferredToolResults {
        self.approvals.iter().fold(DeferredToolResults::new(), |results, call| {
            let approval = Approval::Approved { override_args: None, fingerprint: Some(fingerprint(call)) };
            results.approval(&call.tool_call_id, approval)
        })
    }

    /// What `results` leaves open.
    pub(crate) fn remaining(mut self, results: &DeferredToolResults) -> Self {
        self.calls.retain(|call| !results.names(&call.tool_call_id));
        self.approvals.retain(|call| !results.names(&call.tool_call_id));
        self.metadata.retain(|id, _| !results.names(id));
        self
    }
}

fn find<'a>(calls: &'a [ToolCallPart], id: &str, what: &str) -> Result<&'a ToolCallPart> {
    calls.iter().find(|call| call.tool_call_id == id).ok_or_else(|| {
        let known: Vec<_> = calls.iter().map(|call| call.tool_call_id.as_str()).collect();
        Error::misuse(format!("no call with the id `{id}` waits for {what}; those that do: {}", known.join(", ")))
    })
}

/// What was shown to whoever approved: the tool's name and the arguments, whatever their order and white space.
pub(crate) fn fingerprint(call: &ToolCallPart) -> String {
    Json::from(serde_json::json!([call.tool_name, call.args.to_object()])).digest()
}

/// Whether a call may run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Approval {
    /// It may.
    #[non_exhaustive]
    Approved {
        /// Arguments to run it with, in place of the model's.
        override_args: Option<Json>,
        /// Of the call that was shown; see [`DeferredToolRequests::approve`].
        fingerprint: Option<String>,
    },
    /// It may not; the model is told why.
    Denied(String),
}

/// The result of a call that ran elsewhere.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DeferredResult {
    /// It gave this.
    Return(ToolReturn),
    /// The model is to try again.
    Retry(String),
    /// It is complete, without success.
    Failed(String),
}

/// Answers to calls that waited.
///
/// Can be stored and sent. Answers written by hand are taken at their word; those made from the
/// [requests](DeferredToolRequests) are bound to what was shown.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct DeferredToolResults {
    /// Results, by call id.
    pub calls: BTreeMap<String, DeferredResult>,
    /// Decisions, by call id.
    pub approvals: BTreeMap<String, Approval>,
    /// What tools are given with an approval, by call id; see `RunContext::tool_call_metadata`.
    pub metadata: BTreeMap<String, Json>,
}

impl DeferredToolResults {
    /// No answers yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Approves a call, whatever its arguments.
    #[must_use]
    pub fn approve(self, id: &str) -> Self {
        self.approval(id, Approval::Approved { override_args: None, fingerprint: None })
    }

    /// Approves a call, to be run with these arguments; the history keeps the model's.
    #[must_use]
    pub fn approve_with_args(self, id: &str, args: impl Into<Json>) -> Self {
        self.approval(id, Approval::Approved { override_args: Some(args.into()), fingerprint: None })
    }

    /// Denies a call; the model is told why, or that it was denied.
    #[must_use]
    pub fn deny(self, id: &str, message: Option<String>) -> Self {
        self.approval(id, Approval::Denied(message.unwrap_or_else(denied)))
    }

    /// Gives a call's result.
    #[must_use]
    pub fn result(self, id: &str, value: impl Into<ToolContent>) -> Self {
        self.tool_return(id, ToolReturn::new(value.into()))
    }

    /// Gives a call's result, with more than a value.
    #[must_use]
    pub fn tool_return(self, id: &str, result: ToolReturn) -> Self {
        self.call(id, DeferredResult::Return(result))
    }

    /// Asks the model to try the call again.
    #[must_use]
    pub fn retry(self, id: &str, message: impl Into<String>) -> Self {
        self.call(id, DeferredResult::Retry(message.into()))
    }

    /// Reports the call as failed.
    #[must_use]
    pub fn fail(self, id: &str, message: impl Into<String>) -> Self {
        self.call(id, DeferredResult::Failed(message.into()))
    }

    /// Gives the tool something with its approval.
    #[must_use]
    pub fn with_metadata(mut self, id: &str, metadata: impl Into<Json>) -> Self {
        self.metadata.insert(id.to_owned(), metadata.into());
        self
    }

    /// These answers and the others; of two for one call the other counts.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.calls.extend(others.calls);
        self.approvals.extend(others.approvals);
        self.metadata.extend(others.metadata);
        self
    }

    fn approval(mut self, id: &str, approval: Approval) -> Self {
        self.approvals.insert(id.to_owned(), approval);
        self
    }

    fn call(mut self, id: &str, result: DeferredResult) -> Self {
        self.calls.insert(id.to_owned(), result);
        self
    }

    /// Whether there is an answer for the call `id`.
    pub(crate) fn names(&self, id: &str) -> bool {
        self.calls.contains_key(id) || self.approvals.contains_key(id)
    }

    /// The ids that are answered.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.calls.keys().chain(self.approvals.keys()).map(String::as_str)
    }
}

fn denied() -> String {
    "The tool call was denied.".to_owned()
}

/// The output of a run that may have to wait: what it came to, or the calls it waits for.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "a run is done, or it waits")]
pub enum MaybeDeferred<O> {
    /// The run is done.
    Done(O),
    /// The run waits.
    Deferred(DeferredToolRequests),
}

impl<O> MaybeDeferred<O> {
    /// The output, if the run is done.
    pub fn done(self) -> Option<O> {
        match self {
            Self::Done(output) => Some(output),
            Self::Deferred(_) => None,
        }
    }

    /// The calls, if the run waits.
    pub fn deferred(self) -> Option<DeferredToolRequests> {
        match self {
            Self::Done(_) => None,
            Self::Deferred(requests) => Some(requests),
        }
    }
}

// The kinds of stored answers.
const APPROVED: &str = "tool-approved";
const DENIED: &str = "tool-denied";
const RETRY: &str = "model-retry";
const FAILED: &str = "tool-failed";
const RETURN: &str = "tool-return";

impl Serialize for Approval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Approved { override_args: None, fingerprint: None } => serializer.serialize_bool(true),
            Self::Approved { override_args, fingerprint } => {
                let mut map = serializer.serialize_map(None)?;
                if let Some(args) = override_args {
                    map.serialize_entry("override_args", args)?;
                }
                if let Some(fingerprint) = fingerprint {
                    map.serialize_entry("fingerprint", fingerprint)?;
                }
                map.serialize_entry("kind", APPROVED)?;
                map.end()
            }
            Self::Denied(message) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("message", message)?;
                map.serialize_entry("kind", DENIED)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Approval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Stored {
            kind: String,
            override_args: Option<Json>,
            fingerprint: Option<String>,
            message: Option<String>,
        }
        let json = Json::deserialize(deserializer)?;
        match json.text() {
            "true" => return Ok(Self::Approved { override_args: None, fingerprint: None }),
            "false" => return Ok(Self::Denied(denied())),
            _ => {}
        }
        let stored: Stored = json.read().map_err(|_| {
            de::Error::custom("an approval is true, false, or an object of the kind `tool-approved` or `tool-denied`")
        })?;
        match stored.kind.as_str() {
            APPROVED => Ok(Self::Approved { override_args: stored.override_args, fingerprint: stored.fingerprint }),
            DENIED => Ok(Self::Denied(stored.message.unwrap_or_else(denied))),
            other => Err(de::Error::custom(format!("`{other}` is no kind of approval"))),
        }
    }
}

impl Serialize for DeferredResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let message = |serializer: S, kind, message: &str| {
            let mut map = serializer.serialize_map(Some(2))?;
            map.serialize_entry("message", message)?;
            map.serialize_entry("kind", kind)?;
            map.end()
        };
        match self {
            Self::Retry(text) => message(serializer, RETRY, text),
            Self::Failed(text) => message(serializer, FAILED, text),
            Self::Return(result) => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("return_value", &result.value)?;
                if let Some(content) = &result.content {
                    map.serialize_entry("content", content)?;
                }
                if let Some(metadata) = &result.metadata {
                    map.serialize_entry("metadata", metadata)?;
                }
                if !result.reveal.is_empty() {
                    map.serialize_entry("tools", &result.reveal)?;
                }
                map.serialize_entry("kind", RETURN)?;
                if let Some(digests) = result.value.file_digests() {
                    map.serialize_entry("content_file_digests", &digests)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for DeferredResult {
    /// Reads an object of a known kind as what it says, and anything else as the result's value.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Stored {
            kind: String,
            message: Option<String>,
            #[serde(default)]
            return_value: ToolContent,
            content: Option<Prompt>,
            metadata: Option<Value>,
            #[serde(default)]
            tools: Vec<String>,
            #[serde(default)]
            content_file_digests: Vec<String>,
        }
        let json = Json::deserialize(deserializer)?;
        let stored = json.is_object().then(|| json.read::<Stored>().ok()).flatten();
        Ok(match stored {
            Some(Stored { kind, message: Some(message), .. }) if kind == RETRY => Self::Retry(message),
            Some(Stored { kind, message: Some(message), .. }) if kind == FAILED => Self::Failed(message),
            Some(Stored { kind, return_value, content, metadata, tools, content_file_digests, .. })
                if kind == RETURN =>
            {
                let mut result = ToolReturn::new(return_value.revive_urls(&content_file_digests)).reveal(tools);
                if let Some(content) = content {
                    result = result.content(content);
                }
                if let Some(metadata) = metadata {
                    result = result.metadata(metadata);
                }
                Self::Return(result)
            }
            _ => Self::Return(ToolReturn::new(json.read().map_err(de::Error::custom)?)),
        })
    }
}

impl Serialize for DeferredToolRequests {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("calls", &self.calls)?;
        map.serialize_entry("approvals", &self.approvals)?;
        map.serialize_entry("metadata", &self.metadata)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for DeferredToolRequests {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(default)]
        #[derive(Default)]
        struct Stored {
            calls: Vec<ToolCallPart>,
            approvals: Vec<ToolCallPart>,
            metadata: BTreeMap<String, Metadata>,
        }
        let Stored { calls, approvals, metadata } = Stored::deserialize(deserializer)?;
        Ok(Self { calls, approvals, metadata })
    }
}

impl Approval {
    /// The arguments to run the call with, in place of the model's.
    pub(crate) fn override_args(&self) -> Option<Arguments> {
        match self {
            Self::Approved { override_args, .. } => override_args.clone().map(Arguments::from_json),
            Self::Denied(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ImageUrl;

    #[test]
    fn answers_come_back_from_their_json() {
        let results = DeferredToolResults::new()
            .approve("a")
            .approve_with_args("b", serde_json::json!({"x": 1}))
            .deny("c", Some("no".to_owned()))
            .result("d", ImageUrl::new("https://example.com/a.png"))
            .retry("e", "again")
            .fail("f", "gone")
            .with_metadata("a", serde_json::json!({"by": "Ada"}));
        let stored = serde_json::to_string(&results).expect("JSON");
        let back: DeferredToolResults = serde_json::from_str(&stored).expect("results");
        assert_eq!(back.approvals, results.approvals);
        assert_eq!(serde_json::to_string(&back).expect("JSON"), stored);
        let Some(DeferredResult::Return(result)) = back.calls.get("d") else { unreachable!("{stored}") };
        assert!(matches!(result.value, ToolContent::File(_)), "a file stays a file");
    }

    #[test]
    fn answers_written_by_hand_are_read() {
        let back: DeferredToolResults = serde_json::from_str(
            r#"{"approvals": {"a": true, "b": false}, "calls": {"c": {"kind": "odd"}, "d": null}}"#,
        )
        .expect("results");
        assert!(matches!(back.approvals["b"], Approval::Denied(_)));
        assert!(matches!(&back.calls["c"], DeferredResult::Return(result) if result.value.to_json().is_object()));
        assert!(matches!(&back.calls["d"], DeferredResult::Return(result) if result.value.to_json().is_null()));
        assert!(serde_json::from_str::<DeferredToolResults>(r#"{"approvals": {"a": 1}}"#).is_err());
    }

    #[test]
    fn a_fingerprint_holds_for_the_same_arguments_only() {
        let call = |args: &str| ToolCallPart::new("pay", Arguments::from_text(args)).with_id("1");
        assert_eq!(fingerprint(&call(r#"{"a":1,"b":2}"#)), fingerprint(&call("{\"b\": 2, \"a\": 1}")));
        assert_ne!(fingerprint(&call(r#"{"a":1}"#)), fingerprint(&call(r#"{"a":2}"#)));
    }
}
