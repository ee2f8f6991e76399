//! How requests and answers are stored: as other programs store theirs, with fingerprints added.

use std::collections::BTreeMap;

use serde::de::{self, Deserializer};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::requests::DeferredToolRequests;
use super::results::{Approval, DeferredResult, denied};
use crate::json::Json;
use crate::message::{Metadata, Prompt, ToolCallPart, ToolContent};
use crate::tool::ToolReturn;

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

#[cfg(test)]
mod tests {
    use super::super::{DeferredToolResults, fingerprint};
    use super::*;
    use crate::message::{Arguments, ImageUrl};

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
