//! How models of other makers than Anthropic are asked to think.

use super::reasoning::BedrockReasoning::{Config, Effort, NovaConfig, ReasoningEffort};
use crate::model::Thinking;
use crate::provider::body::Body;

/// Where a request says how much the model is to think, and in which words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BedrockReasoning {
    /// Nowhere: it always thinks, or never does.
    Unsaid,
    /// In the additional field `reasoning_effort`.
    ReasoningEffort(ReasoningLevels),
    /// In the additional field `reasoning`, as its `effort`.
    Effort(ReasoningLevels),
    /// In the additional field `reasoning_config`.
    Config(ReasoningLevels),
    /// In the additional field `reasoningConfig`, as its `maxReasoningEffort`, or as switched off.
    NovaConfig,
}

/// The words for how much to think, for each [`Thinking`]; `None` leaves that to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReasoningLevels {
    /// Not at all, or as little as the model can.
    pub off: Option<&'static str>,
    /// As the provider thinks fit.
    pub on: Option<&'static str>,
    /// Hardly.
    pub minimal: Option<&'static str>,
    /// A little.
    pub low: Option<&'static str>,
    /// Some.
    pub medium: Option<&'static str>,
    /// A lot.
    pub high: Option<&'static str>,
}

impl ReasoningLevels {
    /// The words, from none to most, with that for no particular amount second.
    #[must_use]
    pub const fn new(words: [&'static str; 6]) -> Self {
        let [off, on, minimal, low, medium, high] = words;
        Self {
            off: Some(off),
            on: Some(on),
            minimal: Some(minimal),
            low: Some(low),
            medium: Some(medium),
            high: Some(high),
        }
    }

    fn word(self, thinking: Thinking) -> Option<&'static str> {
        match thinking {
            Thinking::Off => self.off,
            Thinking::On => self.on,
            Thinking::Minimal => self.minimal,
            Thinking::Low => self.low,
            Thinking::Medium => self.medium,
            Thinking::High => self.high,
        }
    }
}

/// gpt-oss always thinks.
pub(super) const EFFORTS_FROM_LOW: BedrockReasoning =
    ReasoningEffort(ReasoningLevels::new(["low", "medium", "low", "low", "medium", "high"]));
/// Only `high` makes these think.
pub(super) const ONLY_HIGH: BedrockReasoning =
    ReasoningEffort(ReasoningLevels::new(["none", "high", "high", "high", "high", "high"]));
/// Always thinks.
pub(super) const GLM: BedrockReasoning =
    ReasoningEffort(ReasoningLevels::new(["low", "max", "low", "low", "medium", "high"]));
/// Some of these always think, and none takes `minimal`.
pub(super) const GPT: BedrockReasoning =
    Effort(ReasoningLevels::new(["low", "medium", "low", "low", "medium", "high"]));
/// Always thinks.
pub(super) const GROK: BedrockReasoning =
    Effort(ReasoningLevels { on: None, ..ReasoningLevels::new(["low", "high", "low", "low", "medium", "high"]) });
/// Only `high` makes it think.
pub(super) const QWEN: BedrockReasoning = Config(ReasoningLevels::new(["none", "high", "low", "low", "high", "high"]));
pub(super) const NOVA: BedrockReasoning = NovaConfig;
const NOVA_EFFORTS: ReasoningLevels = ReasoningLevels::new(["", "medium", "low", "low", "medium", "high"]);

impl BedrockReasoning {
    /// Whether the model cannot be made to call a tool as it is asked to think.
    pub(super) fn rules_out_forcing(self, thinking: Option<Thinking>) -> bool {
        let thinks = thinking.is_some_and(|thinking| thinking != Thinking::Off);
        thinks && matches!(self, ReasoningEffort(_) | Config(_) | NovaConfig)
    }

    /// Whether nothing says how much to think.
    pub(super) fn is_unsaid(self) -> bool {
        self == Self::Unsaid
    }

    /// Adds what says how much to think.
    pub(super) fn write(self, fields: &mut Body<'_>, thinking: Thinking) {
        match self {
            Self::Unsaid => {}
            ReasoningEffort(levels) => fields.field("reasoning_effort", levels.word(thinking)),
            Config(levels) => fields.field("reasoning_config", levels.word(thinking)),
            Effort(levels) => fields.object("reasoning", |reasoning| reasoning.field("effort", levels.word(thinking))),
            NovaConfig => fields.object("reasoningConfig", |config| match thinking {
                Thinking::Off => config.field("type", Some("disabled")),
                _ => {
                    config.field("type", Some("enabled"));
                    config.field("maxReasoningEffort", NOVA_EFFORTS.word(thinking));
                }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_maker_has_its_own_words() {
        let said = |reasoning: BedrockReasoning, thinking| {
            let mut fields = Body::new(0, None);
            reasoning.write(&mut fields, thinking);
            String::from_utf8(fields.finish()).expect("text")
        };
        assert_eq!(said(BedrockReasoning::Unsaid, Thinking::High), "{}");
        assert_eq!(said(EFFORTS_FROM_LOW, Thinking::Off), r#"{"reasoning_effort":"low"}"#);
        assert_eq!(said(ONLY_HIGH, Thinking::Low), r#"{"reasoning_effort":"high"}"#);
        assert_eq!(said(GPT, Thinking::Minimal), r#"{"reasoning":{"effort":"low"}}"#);
        assert_eq!(said(GROK, Thinking::On), "{}");
        assert_eq!(said(QWEN, Thinking::Off), r#"{"reasoning_config":"none"}"#);
        assert_eq!(said(NOVA, Thinking::Off), r#"{"reasoningConfig":{"type":"disabled"}}"#);
        assert_eq!(said(NOVA, Thinking::On), r#"{"reasoningConfig":{"type":"enabled","maxReasoningEffort":"medium"}}"#);
    }

    #[test]
    fn only_some_can_be_forced_while_they_think() {
        assert!(QWEN.rules_out_forcing(Some(Thinking::Low)) && !QWEN.rules_out_forcing(Some(Thinking::Off)));
        assert!(!QWEN.rules_out_forcing(None) && !GROK.rules_out_forcing(Some(Thinking::High)));
    }
}
