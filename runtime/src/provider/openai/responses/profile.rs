//! What a model behind the Responses API can do.

use crate::provider::chat::{Reasoning, SystemRole};
use crate::schema::Keywords;

/// What a model behind the Responses API can do, as far as requests depend on it.
///
/// OpenAI's own models are told by their names. A server that speaks the API but knows less of it is described by setting
/// the fields; see [`OpenAiResponsesModelBuilder::profile`](super::OpenAiResponsesModelBuilder::profile).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenAiResponsesProfile {
    /// In whose name system prompts are sent; instructions have a field of their own.
    pub system_role: SystemRole,
    /// Whether tool definitions may be strict.
    pub strict_tools: bool,
    /// Whether strict schemas may limit the lengths of strings.
    pub strict_lengths: bool,
    /// Whether `tool_choice` may be a list, as `allowed_tools`; else the other tools are left out of the request.
    pub allowed_tools: bool,
    /// Whether the model can be held to a JSON schema as it writes text.
    pub json_schema_output: bool,
    /// Whether the model can be made to call a tool.
    pub forced_tool_choice: bool,
    /// How the model reasons.
    pub reasoning: Reasoning,
    /// Whether its thoughts are asked for, encrypted, and sent back with everything that came with them by its id.
    pub encrypted_reasoning: bool,
    /// Whether its texts tell commentary from answers, and want to be sent back with that.
    pub phases: bool,
    /// Whether it sees images, in prompts and in results of tools.
    pub images: bool,
    /// Whether it reads documents, such as PDFs, in prompts and in results of tools.
    pub documents: bool,
}

/// Families whose texts have a phase.
const WITH_PHASES: [&str; 5] = ["gpt-5.3-codex", "gpt-5.4", "gpt-5.5", "gpt-5.6", "gpt-6"];

impl OpenAiResponsesProfile {
    /// What is known of an OpenAI model by its name; one that is not known is taken for an ordinary new one.
    #[must_use]
    pub fn of(model: &str) -> Self {
        let reasoning = Reasoning::of(model);
        Self {
            system_role: SystemRole::of(model),
            strict_tools: true,
            // Fine-tuned models reject what their bases take.
            strict_lengths: !model.starts_with("ft:"),
            allowed_tools: true,
            json_schema_output: true,
            forced_tool_choice: true,
            reasoning,
            encrypted_reasoning: reasoning != Reasoning::NEVER,
            phases: WITH_PHASES.iter().any(|family| model.starts_with(family)),
            images: true,
            documents: true,
        }
    }

    pub(super) fn keywords(&self) -> Keywords {
        if self.strict_lengths { Keywords::WithLengths } else { Keywords::WithoutLengths }
    }
}
