//! How Gemini models think, and how they are told how much.

use serde::Serialize;

use self::ThinkingLevel::{High, Low, Medium, Minimal};
use crate::model::Thinking;

/// How a model thinks before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GoogleThinking {
    /// It does not.
    Never,
    /// With as many tokens as it is given, as Gemini 2.5 does.
    #[non_exhaustive]
    Budget {
        /// The fewest; 0 where thinking can be turned off.
        least: u32,
    },
    /// At one of these levels, from least to most, as Gemini 3 does.
    Levels(&'static [ThinkingLevel]),
}

/// How much a model thinks, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "UPPERCASE")]
#[non_exhaustive]
pub enum ThinkingLevel {
    /// Hardly.
    Minimal,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// A lot.
    High,
}

/// What a request says about thinking.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThinkingConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    include_thoughts: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_budget: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_level: Option<ThinkingLevel>,
}

impl GoogleThinking {
    /// What to say to a model that is to think this much. One that thinks is asked to show its thoughts.
    pub(super) fn config(self, thinking: Option<Thinking>) -> Option<ThinkingConfig> {
        let level = match thinking? {
            Thinking::Off => return self.least(),
            Thinking::On => None,
            Thinking::Minimal => Some(Minimal),
            Thinking::Low => Some(Low),
            Thinking::Medium => Some(Medium),
            Thinking::High => Some(High),
        };
        let shown = ThinkingConfig { include_thoughts: Some(true), ..ThinkingConfig::default() };
        match self {
            Self::Never => None,
            Self::Budget { .. } => Some(ThinkingConfig { thinking_budget: level.map(budget), ..shown }),
            Self::Levels(levels) => {
                Some(ThinkingConfig { thinking_level: level.and_then(|level| nearest(levels, level)), ..shown })
            }
        }
    }

    /// No thinking, or as little as the model can do.
    fn least(self) -> Option<ThinkingConfig> {
        match self {
            Self::Never => None,
            Self::Budget { least } => {
                Some(ThinkingConfig { thinking_budget: Some(least), ..ThinkingConfig::default() })
            }
            Self::Levels(levels) => {
                Some(ThinkingConfig { thinking_level: nearest(levels, Minimal), ..ThinkingConfig::default() })
            }
        }
    }
}

/// The tokens for a level; every model that counts tokens takes as many as the highest.
fn budget(level: ThinkingLevel) -> u32 {
    match level {
        Minimal => 128,
        Low => 2048,
        Medium => 8192,
        High => 24_576,
    }
}

/// The level that is nearest to the one wanted; of two, the lower.
fn nearest(levels: &[ThinkingLevel], wanted: ThinkingLevel) -> Option<ThinkingLevel> {
    levels.iter().copied().min_by_key(|level| ((*level as u8).abs_diff(wanted as u8), *level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn said(thinking: GoogleThinking, wanted: Thinking) -> Value {
        serde_json::to_value(thinking.config(Some(wanted))).expect("JSON")
    }

    #[test]
    fn models_are_told_in_their_own_terms() {
        let budget = GoogleThinking::Budget { least: 0 };
        assert_eq!(said(budget, Thinking::Off), json!({"thinkingBudget": 0}));
        assert_eq!(said(GoogleThinking::Budget { least: 128 }, Thinking::Off), json!({"thinkingBudget": 128}));
        assert_eq!(said(budget, Thinking::On), json!({"includeThoughts": true}));
        assert_eq!(said(budget, Thinking::Medium), json!({"includeThoughts": true, "thinkingBudget": 8192}));
        let levels = GoogleThinking::Levels(&[Low, High]);
        assert_eq!(said(levels, Thinking::Off), json!({"thinkingLevel": "LOW"}));
        assert_eq!(said(levels, Thinking::On), json!({"includeThoughts": true}));
        assert_eq!(said(levels, Thinking::High), json!({"includeThoughts": true, "thinkingLevel": "HIGH"}));
        for thinking in [Thinking::Off, Thinking::On, Thinking::High] {
            assert_eq!(said(GoogleThinking::Never, thinking), Value::Null);
        }
        assert_eq!(budget.config(None), None);
    }

    #[test]
    fn the_nearest_level_is_taken_and_of_two_the_lower() {
        for (levels, wanted, expected) in [
            ([Minimal, High].as_slice(), Low, Some(Minimal)),
            (&[Minimal, High], Medium, Some(High)),
            (&[Low, High], Medium, Some(Low)),
            (&[Low, Medium, High], Minimal, Some(Low)),
            (&[], High, None),
        ] {
            assert_eq!(nearest(levels, wanted), expected);
        }
    }
}
