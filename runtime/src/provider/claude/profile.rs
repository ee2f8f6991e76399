//! What Anthropic's models can do.

use self::HowToThink::{Adaptive, Budget};
use self::NoThinking::{BetweenTools, Disabled, Impossible, Unsaid};

/// What a model behind the Messages API can do, as far as requests depend on it.
///
/// Anthropic's models are told by their names. A server that speaks the API but knows less or more of it is described by
/// setting the fields; see [`AnthropicModelBuilder::profile`](crate::provider::anthropic::AnthropicModelBuilder::profile).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnthropicProfile {
    /// How the model is asked to think.
    pub thinking: HowToThink,
    /// How it is asked not to.
    pub no_thinking: NoThinking,
    /// Whether it takes its thoughts back only behind what they were had on: the same instructions, tools and messages. Where
    /// something of that has changed, the request is sent again without them.
    pub bound_thoughts: bool,
    /// Whether it takes an effort, which says how much it thinks and writes.
    pub effort: bool,
    /// Whether the model can be made to call a tool. While it thinks on a budget, none can.
    pub forced_tool_choice: bool,
    /// Whether it takes a temperature and the like. While a model thinks, none does.
    pub sampling: bool,
    /// Whether tool definitions may be strict.
    pub strict_tools: bool,
    /// Whether it can be held to a JSON schema as it writes its text.
    pub json_schema_output: bool,
    /// Whether system messages may stand within the conversation; else they are put among the user's words, as
    /// `<system>…</system>`.
    pub system_messages: bool,
    /// Whether the provider searches hidden tools, and keeps the schemas of such tools from the model until it finds them.
    pub tool_search: bool,
    /// Whether messages can add a tool that is sent hidden, by its name.
    pub tool_additions: bool,
    /// The most tokens of an answer, thoughts included, if that is known; more are not asked for.
    pub max_output_tokens: Option<u64>,
    /// How many tokens an answer may have where the settings do not say, as the API must be told.
    pub default_max_tokens: u64,
    /// Whether it sees images.
    pub images: bool,
    /// Whether it reads documents: PDFs and plain text.
    pub documents: bool,
}

/// How a model is asked to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HowToThink {
    /// It decides how much; an effort guides it.
    Adaptive,
    /// It is given a number of tokens.
    Budget,
}

/// How a model is asked not to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoThinking {
    /// By saying nothing: it only thinks when it is asked to.
    Unsaid,
    /// By `disabled`, as it thinks by default.
    Disabled,
    /// By `between_tools`, as it thinks by default: it then writes short thoughts between calls alone.
    BetweenTools,
    /// Not at all: it always thinks, with the least effort if it takes one.
    Impossible,
}

impl NoThinking {
    /// Whether the model thinks when nobody says whether to.
    pub(crate) fn is_the_exception(self) -> bool {
        self != Unsaid
    }
}

impl AnthropicProfile {
    /// What is known of a model by its name; a Claude that is not known is taken for an ordinary new one, and a model of
    /// another name for one that does what all do.
    #[must_use]
    pub fn of(model: &str) -> Self {
        let known = FAMILIES.iter().find(|(prefix, _)| model.starts_with(prefix)).map(|(_, profile)| profile);
        known.unwrap_or(if model.starts_with("claude") { &NEWEST } else { &OTHER }).clone()
    }
}

/// The newest family that does what most do.
const NEWEST: AnthropicProfile = AnthropicProfile {
    thinking: Adaptive,
    no_thinking: Disabled,
    bound_thoughts: false,
    effort: true,
    forced_tool_choice: true,
    sampling: false,
    strict_tools: true,
    json_schema_output: true,
    system_messages: false,
    tool_search: true,
    tool_additions: false,
    max_output_tokens: Some(128_000),
    default_max_tokens: 128_000,
    images: true,
    documents: true,
};

/// Always thinks, and cannot be made to call.
const ALWAYS_THINKING: AnthropicProfile = AnthropicProfile {
    no_thinking: Impossible,
    bound_thoughts: true,
    forced_tool_choice: false,
    system_messages: true,
    tool_additions: true,
    ..NEWEST
};
const MYTHOS_5_1: AnthropicProfile = AnthropicProfile { bound_thoughts: false, ..ALWAYS_THINKING };
const ALWAYS_THINKING_BUT_FORCED: AnthropicProfile = AnthropicProfile { forced_tool_choice: true, ..MYTHOS_5_1 };
const OPUS_5: AnthropicProfile = AnthropicProfile { system_messages: true, tool_additions: true, ..NEWEST };
const SONNET_5_5: AnthropicProfile =
    AnthropicProfile { no_thinking: BetweenTools, forced_tool_choice: false, ..HAIKU_5_5 };
const HAIKU_5_5: AnthropicProfile = AnthropicProfile { bound_thoughts: true, tool_additions: true, ..NEWEST };
const PREVIEW: AnthropicProfile = AnthropicProfile {
    no_thinking: Impossible,
    effort: false,
    sampling: true,
    strict_tools: false,
    json_schema_output: false,
    tool_search: false,
    max_output_tokens: None,
    default_max_tokens: 16_384,
    ..NEWEST
};
const OPUS_4_7: AnthropicProfile = AnthropicProfile { no_thinking: Unsaid, ..NEWEST };
const OPUS_4_8: AnthropicProfile = AnthropicProfile { system_messages: true, tool_additions: true, ..OPUS_4_7 };
const FROM_4_6: AnthropicProfile = AnthropicProfile { sampling: true, ..OPUS_4_7 };
/// Thinks on a budget.
const FROM_4_5: AnthropicProfile = AnthropicProfile {
    thinking: Budget,
    effort: false,
    max_output_tokens: Some(64_000),
    default_max_tokens: 64_000,
    ..FROM_4_6
};
const OPUS_4_5: AnthropicProfile = AnthropicProfile { effort: true, ..FROM_4_5 };
/// Refuses a question that, with all that may be answered, would be too long.
const FROM_4: AnthropicProfile = AnthropicProfile {
    strict_tools: false,
    json_schema_output: false,
    tool_search: false,
    max_output_tokens: None,
    default_max_tokens: 4096,
    ..FROM_4_5
};
const OPUS_4_1: AnthropicProfile = AnthropicProfile { strict_tools: true, json_schema_output: true, ..FROM_4 };
const OTHER: AnthropicProfile = AnthropicProfile { default_max_tokens: 16_384, ..FROM_4 };

/// Families by the start of their names: the first that fits counts, so the narrower stand before the wider.
const FAMILIES: [(&str, AnthropicProfile); 27] = [
    ("claude-fable-5-1", ALWAYS_THINKING),
    ("claude-fable-5-2", ALWAYS_THINKING),
    ("claude-fable-5", ALWAYS_THINKING_BUT_FORCED),
    ("claude-mythos-5-1", MYTHOS_5_1),
    ("claude-mythos-5-2", ALWAYS_THINKING),
    ("claude-mythos-5", ALWAYS_THINKING_BUT_FORCED),
    ("claude-mythos-preview", PREVIEW),
    ("claude-opus-5-5", ALWAYS_THINKING),
    ("claude-opus-5", OPUS_5),
    ("claude-opus-4-8", OPUS_4_8),
    ("claude-opus-4-7", OPUS_4_7),
    ("claude-opus-4-6", FROM_4_6),
    ("claude-opus-4-5", OPUS_4_5),
    ("claude-opus-4-1", OPUS_4_1),
    ("claude-opus-4", FROM_4),
    ("claude-sonnet-5-5", SONNET_5_5),
    ("claude-sonnet-5", NEWEST),
    ("claude-sonnet-4-6", FROM_4_6),
    ("claude-sonnet-4-5", FROM_4_5),
    ("claude-sonnet-4", FROM_4),
    ("claude-haiku-5-5", HAIKU_5_5),
    ("claude-haiku-4-5", FROM_4_5),
    ("claude-4", FROM_4),
    ("claude-3", FROM_4),
    ("claude-2", FROM_4),
    ("claude-1", FROM_4),
    ("claude-instant", FROM_4),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_models_can_do() {
        let of = AnthropicProfile::of;
        assert_eq!(
            (of("claude-opus-5-5").no_thinking, of("claude-opus-5-20260101").no_thinking),
            (Impossible, Disabled)
        );
        assert!(!of("claude-sonnet-5-5").forced_tool_choice && of("claude-sonnet-5").forced_tool_choice);
        assert!(of("claude-fable-5").forced_tool_choice && !of("claude-fable-5-1").forced_tool_choice);
        assert_eq!((of("claude-sonnet-4-5").thinking, of("claude-sonnet-4-6").thinking), (Budget, Adaptive));
        assert!(of("claude-sonnet-5-5").bound_thoughts && !of("claude-sonnet-5").bound_thoughts);
        assert!(of("claude-fable-5-1").bound_thoughts && !of("claude-fable-5").bound_thoughts);
        assert!(of("claude-opus-4-5").effort && !of("claude-sonnet-4-5").effort);
        assert!(of("claude-opus-4-6").sampling && !of("claude-opus-4-7").sampling);
        assert!(of("claude-opus-4-8").system_messages && !of("claude-sonnet-5-5").system_messages);
        assert_eq!(of("claude-3-5-haiku-latest").default_max_tokens, 4096);
        let discovery = |model| (of(model).tool_search, of(model).tool_additions);
        for model in ["claude-fable-5-1", "claude-mythos-5", "claude-opus-5", "claude-sonnet-5-5", "claude-haiku-5-5"] {
            assert_eq!(discovery(model), (true, true), "{model}");
        }
        for model in ["claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-6", "claude-sonnet-5"] {
            assert_eq!(discovery(model), (true, false), "{model}");
        }
        assert_eq!([discovery("claude-opus-4-8"), discovery("claude-opus-4-1")], [(true, true), (false, false)]);
        assert_eq!(of("claude-quartet-7"), NEWEST);
        assert_eq!(of("kimi-k3"), OTHER);
    }

    #[test]
    fn prefixes_stand_from_narrow_to_wide_and_limits_fit() {
        for (index, (prefix, profile)) in FAMILIES.iter().enumerate() {
            assert!(!FAMILIES[..index].iter().any(|(wider, _)| prefix.starts_with(wider)), "{prefix} is never reached");
            assert!(profile.max_output_tokens.is_none_or(|most| profile.default_max_tokens <= most), "{prefix}");
        }
    }
}
