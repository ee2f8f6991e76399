//! How a request asks the model to think, and what that rules out.

use super::profile::{AnthropicProfile, HowToThink, NoThinking};
use crate::model::Thinking;

/// The least tokens that an answer has beyond its thoughts, where nobody says how many.
const TOKENS_BEYOND_THOUGHTS: u64 = 4096;

/// How a request asks the model to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThinkingPlan {
    pub(crate) config: Option<ThinkingConfig>,
    pub(crate) effort: Option<&'static str>,
    /// Whether the model thinks before it answers, asked to or by default.
    pub(crate) thinks: bool,
}

/// What the request says in so many words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThinkingConfig {
    Adaptive,
    /// The same, without earlier thoughts that the model would refuse.
    AdaptiveAnew,
    /// With this many tokens.
    Enabled(u64),
    Disabled,
    BetweenTools,
}

impl ThinkingPlan {
    /// What `thinking` comes to for a model.
    pub(crate) fn of(profile: &AnthropicProfile, thinking: Option<Thinking>) -> Self {
        match thinking {
            None => Self { config: None, effort: None, thinks: profile.no_thinking.is_the_exception() },
            Some(Thinking::Off) => Self::none(profile),
            Some(asked) => Self {
                config: Some(match profile.thinking {
                    HowToThink::Adaptive => ThinkingConfig::Adaptive,
                    HowToThink::Budget => ThinkingConfig::Enabled(budget(asked)),
                }),
                effort: effort(asked).filter(|_| profile.effort),
                thinks: true,
            },
        }
    }

    fn none(profile: &AnthropicProfile) -> Self {
        let silent = |config| Self { config, effort: None, thinks: false };
        match profile.no_thinking {
            NoThinking::Unsaid => silent(None),
            NoThinking::Disabled => silent(Some(ThinkingConfig::Disabled)),
            NoThinking::BetweenTools => silent(Some(ThinkingConfig::BetweenTools)),
            NoThinking::Impossible => Self {
                config: profile.effort.then_some(ThinkingConfig::Adaptive),
                effort: profile.effort.then_some("low"),
                thinks: true,
            },
        }
    }

    /// The same without earlier thoughts that the model refuses to take back; `None` where they cannot be left out so.
    pub(crate) fn anew(self) -> Option<Self> {
        let is_adaptive = matches!(self.config, None | Some(ThinkingConfig::Adaptive)) && self.thinks;
        is_adaptive.then_some(Self { config: Some(ThinkingConfig::AdaptiveAnew), ..self })
    }

    /// Why the model cannot be made to call a tool, if it cannot.
    pub(crate) fn rules_out_forcing(self, profile: &AnthropicProfile) -> Option<&'static str> {
        if !profile.forced_tool_choice {
            return Some("cannot be made to call a tool");
        }
        self.is_on_budget().then_some("cannot be made to call a tool while it thinks; switch thinking off")
    }

    /// How many tokens the answer may have where nobody says.
    pub(crate) fn default_max_tokens(self, profile: &AnthropicProfile) -> u64 {
        let budget = match self.config {
            Some(ThinkingConfig::Enabled(budget)) => budget,
            _ => 0,
        };
        profile.default_max_tokens.max(budget + TOKENS_BEYOND_THOUGHTS)
    }

    /// Whether it is told with how many tokens to think.
    pub(crate) fn is_on_budget(self) -> bool {
        matches!(self.config, Some(ThinkingConfig::Enabled(_)))
    }
}

impl ThinkingConfig {
    pub(crate) fn append_to(self, out: &mut Vec<u8>) {
        let text = match self {
            Self::Adaptive => r#"{"type":"adaptive"}"#.to_owned(),
            Self::AdaptiveAnew => {
                r#"{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}}"#.to_owned()
            }
            Self::Enabled(budget) => format!(r#"{{"type":"enabled","budget_tokens":{budget}}}"#),
            Self::Disabled => r#"{"type":"disabled"}"#.to_owned(),
            Self::BetweenTools => r#"{"type":"between_tools"}"#.to_owned(),
        };
        out.extend_from_slice(text.as_bytes());
    }
}

/// How many tokens a model may think with; the API wants at least 1024.
fn budget(thinking: Thinking) -> u64 {
    match thinking {
        Thinking::Off | Thinking::Minimal => 1024,
        Thinking::Low => 2048,
        Thinking::On | Thinking::Medium => 10_000,
        Thinking::High => 16_384,
    }
}

/// The effort to ask for; none where the provider is to decide.
fn effort(thinking: Thinking) -> Option<&'static str> {
    match thinking {
        Thinking::Off | Thinking::On => None,
        Thinking::Minimal | Thinking::Low => Some("low"),
        Thinking::Medium => Some("medium"),
        Thinking::High => Some("high"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(model: &str, thinking: Option<Thinking>) -> (String, Option<&'static str>, bool) {
        let plan = ThinkingPlan::of(&AnthropicProfile::of(model), thinking);
        let mut text = Vec::new();
        plan.config.inspect(|config| config.append_to(&mut text));
        (String::from_utf8(text).expect("text"), plan.effort, plan.thinks)
    }

    #[test]
    fn every_model_is_asked_in_its_own_way() {
        let adaptive = || r#"{"type":"adaptive"}"#.to_owned();
        assert_eq!(plan("claude-sonnet-5-5", Some(Thinking::Low)), (adaptive(), Some("low"), true));
        assert_eq!(plan("claude-sonnet-5-5", Some(Thinking::On)), (adaptive(), None, true));
        let budget = |tokens: u64| format!(r#"{{"type":"enabled","budget_tokens":{tokens}}}"#);
        assert_eq!(plan("claude-sonnet-4-5", Some(Thinking::Low)), (budget(2048), None, true));
        assert_eq!(plan("claude-opus-4-5", Some(Thinking::High)), (budget(16_384), Some("high"), true));
        assert_eq!(plan("claude-haiku-4-5", Some(Thinking::Minimal)), (budget(1024), None, true));
        assert_eq!(plan("claude-opus-5", None), (String::new(), None, true));
        assert_eq!(plan("claude-opus-4-8", None), (String::new(), None, false));
    }

    #[test]
    fn thinking_is_switched_off_as_far_as_it_can_be() {
        let off = |model| plan(model, Some(Thinking::Off));
        assert_eq!(off("claude-sonnet-4-5"), (String::new(), None, false));
        assert_eq!(off("claude-opus-5"), (r#"{"type":"disabled"}"#.to_owned(), None, false));
        assert_eq!(off("claude-sonnet-5-5"), (r#"{"type":"between_tools"}"#.to_owned(), None, false));
        assert_eq!(off("claude-opus-5-5"), (r#"{"type":"adaptive"}"#.to_owned(), Some("low"), true));
        assert_eq!(off("claude-mythos-preview"), (String::new(), None, true));
    }

    #[test]
    fn an_answer_has_room_beyond_its_thoughts() {
        let tokens = |model, thinking| {
            let profile = AnthropicProfile::of(model);
            ThinkingPlan::of(&profile, thinking).default_max_tokens(&profile)
        };
        assert_eq!(tokens("claude-3-7-sonnet", Some(Thinking::High)), 16_384 + 4096);
        assert_eq!(tokens("claude-3-7-sonnet", None), 4096);
        assert_eq!(tokens("claude-sonnet-4-5", Some(Thinking::High)), 64_000);
        assert_eq!(tokens("claude-sonnet-5", None), 128_000);
    }
}
