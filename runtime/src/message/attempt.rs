//! Attempts at a response that came to nothing.

use std::time::Duration;

use jiff::{SignedDuration, Span, SpanRelativeTo};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use super::timestamp::Timestamp;
use crate::usage::RequestUsage;

/// An attempt at a response that came to nothing, after which another model was asked; see
/// [`FallbackModel`](crate::model::FallbackModel).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FailedAttempt {
    /// The model that was asked.
    pub model_name: String,
    /// Its provider.
    pub provider_name: Option<String>,
    /// How it failed.
    pub outcome: AttemptOutcome,
    /// What was wrong, in words; none where the response was rejected.
    pub error: Option<String>,
    /// When it was asked.
    pub timestamp: Timestamp,
    /// How long it took.
    #[serde(serialize_with = "write_duration", deserialize_with = "read_duration")]
    pub duration: Duration,
    /// What it cost, as far as that is known.
    pub usage: Option<RequestUsage>,
    /// What another program has kept of it in a stored history.
    #[serde(flatten)]
    pub(crate) others: Map<String, Value>,
}

/// How an attempt failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AttemptOutcome {
    /// There was no response.
    Error,
    /// There was one that was not wanted.
    Rejected,
}

/// A duration is stored as ISO 8601 has it, such as `PT1.5S`.
fn write_duration<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&SignedDuration::try_from(*duration).unwrap_or(SignedDuration::MAX))
}

fn read_duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    let span: Span =
        text.parse().map_err(|error| de::Error::custom(format!("`{text}` is no ISO 8601 duration: {error}")))?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(de::Error::custom)?;
    Duration::try_from(duration).map_err(|_| de::Error::custom(format!("`{text}` is less than nothing")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_stored_attempt_is_stored_again_as_it_was() {
        let stored = json!({
            "model_name": "m", "provider_name": "p", "outcome": "rejected", "error": null,
            "timestamp": "2026-11-30T10:00:00Z", "duration": "PT1.5S",
            "usage": {
                "input_tokens": 3, "cache_write_tokens": 0, "cache_read_tokens": 0, "output_tokens": 1, "cost": 0.5
            },
            "later": [1],
        });
        let attempt: FailedAttempt = serde_json::from_value(stored.clone()).expect("an attempt");
        assert_eq!(attempt.duration, Duration::from_millis(1500));
        assert_eq!(serde_json::to_value(&attempt).expect("JSON"), stored);
    }

    #[test]
    fn durations_are_read_as_other_programs_write_them() {
        let read = |text: &str| {
            let stored = json!({
                "model_name": "m", "outcome": "error", "timestamp": "2026-11-30T10:00:00Z", "duration": text,
            });
            serde_json::from_value::<FailedAttempt>(stored).map(|attempt| attempt.duration.as_secs())
        };
        assert_eq!(read("P1DT2S").expect("a day"), 86_402);
        assert_eq!(read("PT0S").expect("nothing"), 0);
        assert!(read("-PT1S").is_err() && read("soon").is_err());
    }
}
