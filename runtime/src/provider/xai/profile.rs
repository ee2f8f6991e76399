//! What xAI's models can do.

use crate::provider::chat::Effort::{self, High, Low, Medium};
use crate::provider::chat::{ChatProfile, Reasoning, SchemaForm, WhileReasoning};

const FROM_NONE: Reasoning = Reasoning::new(&[Effort::None, Low, Medium, High], true);
const FROM_LOW: Reasoning = Reasoning::new(&[Low, Medium, High], true);

/// How models reason, by their names; others do not, or say nothing of it.
const REASONING: [(&str, Reasoning); 15] = [
    ("grok-latest", FROM_NONE),
    ("grok-4.3", FROM_NONE),
    ("grok-4.3-latest", FROM_NONE),
    // These lead to it.
    ("grok-4-0709", FROM_NONE),
    ("grok-4-1-fast-reasoning", FROM_NONE),
    ("grok-4-1-fast-non-reasoning", FROM_NONE),
    ("grok-4-fast-reasoning", FROM_NONE),
    ("grok-4-fast-non-reasoning", FROM_NONE),
    ("grok-3", FROM_NONE),
    ("grok-4.5", FROM_LOW),
    ("grok-4.5-latest", FROM_LOW),
    ("grok-4.6", FROM_LOW),
    ("grok-4.7", FROM_LOW),
    ("grok-build-latest", FROM_LOW),
    ("grok-3-mini", Reasoning::new(&[Effort::None, Low, High], true)),
];

/// What is known of a model by its name.
pub(super) fn of(model: &str) -> ChatProfile {
    let model = model.to_ascii_lowercase();
    let name = model.strip_suffix("-fast").filter(|name| *name == "grok-3-mini").unwrap_or(&model);
    ChatProfile {
        max_completion_tokens: true,
        schemas: SchemaForm::Plain,
        reasoning: REASONING.iter().find(|(known, _)| *known == name).map_or(Reasoning::NEVER, |(_, known)| *known),
        while_reasoning: WhileReasoning::NoPenaltiesOrStops,
        think_tags: false,
        documents: false,
        ..ChatProfile::compatible()
    }
}
