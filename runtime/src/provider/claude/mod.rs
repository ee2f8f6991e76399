//! Anthropic's models, whichever API they are behind: what they can do, by their names, and how they are asked to think.

mod profile;
mod thinking;

pub use profile::{AnthropicProfile, HowToThink, NoThinking};
pub(crate) use thinking::ThinkingPlan;

use crate::model::ModelSettings;

/// The most tokens of an answer that is waited for in one piece: more may take longer than connections last.
pub(crate) const MOST_AT_ONCE: u64 = 21_333;

/// How many tokens an answer may have: what the settings say, as far as the model can write so many.
pub(crate) fn max_tokens(profile: &AnthropicProfile, settings: &ModelSettings) -> u64 {
    let most = profile.max_output_tokens.unwrap_or(u64::MAX);
    let default = || ThinkingPlan::of(profile, settings.thinking).default_max_tokens(profile);
    settings.max_tokens.unwrap_or_else(default).min(most)
}
