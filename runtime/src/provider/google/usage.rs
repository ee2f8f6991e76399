//! What a request cost, as the API tells it.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::usage::RequestUsage;

/// The counts of a reply. Those of a streamed one are of all of it so far.
#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct UsageMetadata {
    prompt_token_count: Option<u64>,
    tool_use_prompt_token_count: Option<u64>,
    cached_content_token_count: Option<u64>,
    candidates_token_count: Option<u64>,
    thoughts_token_count: Option<u64>,
    prompt_tokens_details: Option<Vec<ModalityCount>>,
    cache_tokens_details: Option<Vec<ModalityCount>>,
    candidates_tokens_details: Option<Vec<ModalityCount>>,
    tool_use_prompt_tokens_details: Option<Vec<ModalityCount>>,
}

/// The tokens of one modality, such as `TEXT`.
#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ModalityCount {
    modality: Option<String>,
    token_count: Option<u64>,
}

impl UsageMetadata {
    /// Takes newer counts; what they leave out stays.
    pub(super) fn update(&mut self, newer: Self) {
        macro_rules! take {
            ($($field:ident)*) => { $(if newer.$field.is_some() { self.$field = newer.$field; })* };
        }
        take!(
            prompt_token_count tool_use_prompt_token_count cached_content_token_count candidates_token_count
            thoughts_token_count prompt_tokens_details cache_tokens_details candidates_tokens_details
            tool_use_prompt_tokens_details
        );
    }

    /// The counts in the library's terms.
    pub(super) fn usage(self) -> RequestUsage {
        let count = Option::unwrap_or_default;
        let thoughts = count(self.thoughts_token_count);
        let tool_use = count(self.tool_use_prompt_token_count);
        let cached = count(self.cached_content_token_count);
        let counts =
            [("cached_content_tokens", cached), ("thoughts_tokens", thoughts), ("tool_use_prompt_tokens", tool_use)];
        let mut details: Map<String, Value> = counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect();
        for (what, modalities) in [
            ("prompt", self.prompt_tokens_details),
            ("cache", self.cache_tokens_details),
            ("candidates", self.candidates_tokens_details),
            ("tool_use_prompt", self.tool_use_prompt_tokens_details),
        ] {
            for ModalityCount { modality, token_count } in modalities.into_iter().flatten() {
                if let (Some(modality), Some(count @ 1..)) = (modality, token_count) {
                    details.insert(format!("{}_{what}_tokens", modality.to_lowercase()), count.into());
                }
            }
        }
        RequestUsage {
            input_tokens: count(self.prompt_token_count).saturating_add(tool_use),
            output_tokens: count(self.candidates_token_count).saturating_add(thoughts),
            cache_read_tokens: cached,
            details,
            ..RequestUsage::default()
        }
    }
}
