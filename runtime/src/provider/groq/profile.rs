//! What Groq's models can do.

use crate::provider::chat::Effort::{self, High, Low, Medium};
use crate::provider::chat::{ChatProfile, Reasoning, SchemaForm, ThinkingForm, ThoughtForm};

/// How models reason, by the start of their names; others do not.
const REASONING: [(&str, Reasoning); 5] = [
    ("openai/gpt-oss", Reasoning::new(&[Low, Medium, High], true)),
    // It is on or off.
    ("qwen/qwen3", Reasoning::new(&[Effort::None], true)),
    // These reason as they like.
    ("qwen-qwq", Reasoning::new(&[], true)),
    ("deepseek-r1", Reasoning::new(&[], true)),
    ("llama-4-maverick", Reasoning::new(&[], true)),
];

/// Models that can be held to a JSON schema.
const WITH_SCHEMA_OUTPUT: [&str; 4] =
    ["openai/gpt-oss", "moonshotai/kimi-k2", "meta-llama/llama-4-maverick", "meta-llama/llama-4-scout"];

/// What is known of a model by its name.
pub(super) fn of(model: &str) -> ChatProfile {
    let model = model.to_ascii_lowercase();
    let begins = |prefix: &&str| model.starts_with(prefix);
    let reasoning = REASONING.iter().find(|(prefix, _)| begins(prefix)).map_or(Reasoning::NEVER, |(_, known)| *known);
    let profile = ChatProfile {
        // What was used is told in any case.
        stream_usage: false,
        schemas: SchemaForm::Plain,
        json_schema_output: WITH_SCHEMA_OUTPUT.iter().any(begins),
        json_object_output: begins(&"openai/"),
        reasoning,
        thinking: ThinkingForm::Format,
        thoughts: ThoughtForm::Tags,
        documents: false,
        text_files: false,
        failed_generations: true,
        ..ChatProfile::compatible()
    };
    // That a call can be forced is Groq's doing.
    ChatProfile { forced_tool_choice: true, ..profile.with_family(&model) }
}
