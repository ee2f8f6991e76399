//! How much a model is to think, as Cohere wants to be told.

use serde::Serialize;

use crate::model::Thinking;

/// The `thinking` of a request.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct ThinkingConfig {
    r#type: &'static str,
    /// The most tokens to think in.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_budget: Option<u32>,
}

impl ThinkingConfig {
    /// What is asked of a model that reasons.
    pub(super) fn of(thinking: Thinking) -> Self {
        let enabled = |token_budget| Self { r#type: "enabled", token_budget };
        match thinking {
            Thinking::Off => Self { r#type: "disabled", token_budget: None },
            Thinking::On => enabled(None),
            Thinking::Minimal => enabled(Some(512)),
            Thinking::Low => enabled(Some(2048)),
            Thinking::Medium => enabled(Some(8192)),
            Thinking::High => enabled(Some(16384)),
        }
    }
}
