//! What runs and requests cost, and how much they may.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// What one request to a model cost, in tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RequestUsage {
    /// Tokens the model read.
    pub input_tokens: u64,
    /// Of these, written to the provider's cache.
    pub cache_write_tokens: u64,
    /// Of these, read from the provider's cache.
    pub cache_read_tokens: u64,
    /// Tokens the model wrote.
    pub output_tokens: u64,
    /// What else the provider counts, such as `reasoning_tokens`, by its own names.
    #[serde(deserialize_with = "null_is_none", skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
    /// What another program has counted in a stored history.
    #[serde(flatten)]
    pub(crate) others: Map<String, Value>,
}

impl RequestUsage {
    /// Adds what an earlier request of the same response cost. Of what else is counted, only whole numbers are known to add up.
    pub(crate) fn add(&mut self, earlier: &Self) {
        let Self { input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, details, others: _ } = earlier;
        self.input_tokens = self.input_tokens.saturating_add(*input_tokens);
        self.cache_write_tokens = self.cache_write_tokens.saturating_add(*cache_write_tokens);
        self.cache_read_tokens = self.cache_read_tokens.saturating_add(*cache_read_tokens);
        self.output_tokens = self.output_tokens.saturating_add(*output_tokens);
        for (name, count) in details {
            let sum = |newer: &Value| newer.as_u64()?.checked_add(count.as_u64()?);
            let sum = self.details.get(name).map_or(Some(count.clone()), |newer| sum(newer).map(Value::from));
            self.details.extend(sum.map(|sum| (name.clone(), sum)));
        }
    }
}

/// Older programs write `null` for no details.
fn null_is_none<'de, D: Deserializer<'de>>(details: D) -> Result<Map<String, Value>, D::Error> {
    Ok(Option::deserialize(details)?.unwrap_or_default())
}

/// What a run cost, together with the runs within it that [share its usage](crate::Run::share_usage).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RunUsage {
    /// Requests to the model.
    pub requests: u64,
    /// Calls of function tools that returned normally.
    pub tool_calls: u64,
    /// Tokens the model read.
    pub input_tokens: u64,
    /// Of these, written to the provider's cache.
    pub cache_write_tokens: u64,
    /// Of these, read from the provider's cache.
    pub cache_read_tokens: u64,
    /// Tokens the model wrote.
    pub output_tokens: u64,
}

impl RunUsage {
    /// All tokens, read and written.
    #[must_use]
    pub fn total_tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    pub(crate) fn add_tokens(&mut self, usage: &RequestUsage) {
        self.input_tokens = self.input_tokens.saturating_add(usage.input_tokens);
        self.cache_write_tokens = self.cache_write_tokens.saturating_add(usage.cache_write_tokens);
        self.cache_read_tokens = self.cache_read_tokens.saturating_add(usage.cache_read_tokens);
        self.output_tokens = self.output_tokens.saturating_add(usage.output_tokens);
    }
}

/// How much a run may cost. What is not set is not limited, but for 50 requests unless said otherwise.
///
/// Specification: behaviours 9; "Limiting tool executions".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsageLimits {
    /// The most requests to the model; checked before each.
    pub request_limit: Option<u64>,
    /// The most successful calls of function tools; checked before a response's calls run, for all of them.
    pub tool_calls_limit: Option<u64>,
    /// The most tokens read; checked after each response.
    pub input_tokens_limit: Option<u64>,
    /// The most tokens written; checked after each response.
    pub output_tokens_limit: Option<u64>,
    /// The most tokens in all; checked after each response.
    pub total_tokens_limit: Option<u64>,
}

impl Default for UsageLimits {
    fn default() -> Self {
        Self { request_limit: Some(50), ..Self::none() }
    }
}

impl UsageLimits {
    /// No limits at all.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            request_limit: None,
            tool_calls_limit: None,
            input_tokens_limit: None,
            output_tokens_limit: None,
            total_tokens_limit: None,
        }
    }

    /// Allows this many requests to the model.
    #[must_use]
    pub const fn requests(mut self, limit: u64) -> Self {
        self.request_limit = Some(limit);
        self
    }

    /// Allows this many successful calls of function tools.
    #[must_use]
    pub const fn tool_calls(mut self, limit: u64) -> Self {
        self.tool_calls_limit = Some(limit);
        self
    }

    /// Allows this many tokens in all.
    #[must_use]
    pub const fn total_tokens(mut self, limit: u64) -> Self {
        self.total_tokens_limit = Some(limit);
        self
    }

    /// Whether there may be one more request. `whose` stands before the limit's name.
    pub(crate) fn check_before_request(&self, requests: u64, whose: &str) -> Result<()> {
        match self.request_limit {
            Some(limit) if requests >= limit => Err(Error::usage_limit(format!(
                "the next request would exceed the {whose}request_limit of {limit}; raise it with `UsageLimits::requests`, \
                 or see in the history why the run does not end"
            ))),
            _ => Ok(()),
        }
    }

    pub(crate) fn check_before_calls(&self, made: u64, calls: u64, whose: &str) -> Result<()> {
        match self.tool_calls_limit {
            Some(limit) if calls > 0 && made.saturating_add(calls) > limit => Err(Error::usage_limit(format!(
                "the next {calls} tool call(s) would exceed the {whose}tool_calls_limit of {limit} ({made} made so far); \
                 raise it with `UsageLimits::tool_calls`"
            ))),
            _ => Ok(()),
        }
    }

    pub(crate) fn check_tokens(&self, usage: &RunUsage, whose: &str) -> Result<()> {
        let limits = [
            ("input_tokens_limit", self.input_tokens_limit, usage.input_tokens),
            ("output_tokens_limit", self.output_tokens_limit, usage.output_tokens),
            ("total_tokens_limit", self.total_tokens_limit, usage.total_tokens()),
        ];
        limits.into_iter().try_for_each(|(name, limit, used)| match limit {
            Some(limit) if used > limit => Err(Error::usage_limit(format!(
                "the {whose}run has used {used} tokens, more than its {name} of {limit}"
            ))),
            _ => Ok(()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_provider_counts_stays_apart_from_what_the_library_counts() {
        let mut usage = RequestUsage { input_tokens: 10, ..RequestUsage::default() };
        usage.details.insert("input_tokens".to_owned(), 7.into());
        let stored = serde_json::to_string(&usage).expect("JSON");
        assert_eq!(serde_json::from_str::<RequestUsage>(&stored).expect("what was written"), usage);
        let stored: Value = serde_json::from_str(&stored).expect("JSON");
        assert_eq!((&stored["input_tokens"], &stored["details"]), (&json!(10), &json!({"input_tokens": 7})));
    }

    #[test]
    fn what_other_programs_store_is_kept() {
        let stored = json!({
            "input_tokens": 10, "cache_write_tokens": 0, "cache_read_tokens": 0, "output_tokens": 5,
            "details": {"output_tokens": 5, "reasoning_tokens": 2}, "input_audio_tokens": 1, "cost": "0.0001"
        });
        let usage: RequestUsage = serde_json::from_value(stored.clone()).expect("usage");
        assert_eq!(usage.details["reasoning_tokens"], 2);
        assert_eq!(serde_json::to_value(usage).expect("JSON"), stored);
        for none in [json!({}), json!({"details": null}), json!({"details": {}})] {
            let usage: RequestUsage = serde_json::from_value(none).expect("usage");
            assert_eq!(usage, RequestUsage::default());
        }
    }
}
