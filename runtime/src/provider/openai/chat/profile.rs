//! What a model behind the Chat Completions API can do.

use crate::provider::openai::effort::Reasoning;
use crate::provider::openai::role::SystemRole;
use crate::schema::Keywords;

/// What a model behind the Chat Completions API can do, as far as requests depend on it.
///
/// OpenAI's own models are told by their names. A server that speaks the API but knows less of it is described by setting
/// the fields; see [`OpenAiChatModelBuilder::profile`](super::OpenAiChatModelBuilder::profile).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenAiChatProfile {
    /// In whose name instructions and system prompts are sent.
    pub system_role: SystemRole,
    /// Whether the limit of an answer is called `max_completion_tokens`; else it is `max_tokens`.
    pub max_completion_tokens: bool,
    /// Whether tool definitions may be strict.
    pub strict_tools: bool,
    /// Whether strict schemas may limit the lengths of strings.
    pub strict_lengths: bool,
    /// Whether `tool_choice` may be a list, as `allowed_tools`; else the other tools are left out of the request.
    pub allowed_tools: bool,
    /// Whether the model can be held to a JSON schema as it writes text; else
    /// [`OutputSpec::native`](crate::OutputSpec::native) is refused.
    pub json_schema_output: bool,
    /// Whether the model can be made to call a tool.
    pub forced_tool_choice: bool,
    /// Whether a streamed reply tells its usage when asked to, with `stream_options`.
    pub stream_usage: bool,
    /// How the model reasons.
    pub reasoning: Reasoning,
    /// Whether it sees images.
    pub images: bool,
    /// Whether it hears.
    pub audio: bool,
    /// Whether it reads documents, such as PDFs; text files are sent as text in any case.
    pub documents: bool,
    /// Whether the server fetches documents from URLs.
    pub document_urls: bool,
}

impl OpenAiChatProfile {
    /// What is known of an OpenAI model by its name; one that is not known is taken for an ordinary new one.
    #[must_use]
    pub fn of(model: &str) -> Self {
        Self {
            system_role: SystemRole::of(model),
            max_completion_tokens: true,
            strict_tools: true,
            // Fine-tuned models reject what their bases take.
            strict_lengths: !model.starts_with("ft:"),
            allowed_tools: true,
            json_schema_output: true,
            forced_tool_choice: true,
            stream_usage: true,
            reasoning: Reasoning::of(model),
            images: true,
            audio: model.contains("audio"),
            documents: true,
            document_urls: false,
        }
    }

    pub(super) fn keywords(&self) -> Keywords {
        if self.strict_lengths { Keywords::WithLengths } else { Keywords::WithoutLengths }
    }
}
