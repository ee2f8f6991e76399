//! Services that speak OpenAI's APIs, and where each differs.

mod azure;
mod mantle;
mod place;
mod profile;
mod row;
mod table;
#[cfg(test)]
mod tests;

use reqwest::Url;

pub(super) use self::place::{Addressee, Spoken};
use self::row::Row;
use super::responses::OpenAiResponsesProfile;
use crate::error::Result;
use crate::provider::chat::ChatProfile;
use crate::provider::connection::{Connection, ConnectionBuilder};

/// A service that speaks OpenAI's APIs.
///
/// Each has its own URL, keys in its own environment variables, profiles of its models, and its own name in messages: thoughts
/// that came from one are never sent to another.
///
/// | service | key in | URL |
/// |---|---|---|
/// | [`OpenAi`](Self::OpenAi) | `OPENAI_API_KEY` | `OPENAI_BASE_URL` |
/// | [`Azure`](Self::Azure) | `AZURE_OPENAI_API_KEY` | `AZURE_OPENAI_ENDPOINT`, which has to be set |
/// | [`BedrockMantle`](Self::BedrockMantle) | `AWS_BEARER_TOKEN_BEDROCK` | of the region in `AWS_REGION` or `AWS_DEFAULT_REGION` |
/// | [`Cerebras`](Self::Cerebras) | `CEREBRAS_API_KEY` | `CEREBRAS_BASE_URL` |
/// | [`Crusoe`](Self::Crusoe) | `CRUSOE_API_KEY` | `CRUSOE_BASE_URL` |
/// | [`DeepSeek`](Self::DeepSeek) | `DEEPSEEK_API_KEY` | `DEEPSEEK_BASE_URL` |
/// | [`Fireworks`](Self::Fireworks) | `FIREWORKS_API_KEY` | `FIREWORKS_BASE_URL` |
/// | [`GitHubCopilot`](Self::GitHubCopilot) | `GITHUB_COPILOT_API_KEY`, `GITHUB_COPILOT_API_TOKEN` or `COPILOT_GITHUB_TOKEN` | `GITHUB_COPILOT_BASE_URL`, `COPILOT_API_URL` or `GITHUB_COPILOT_API_BASE` |
/// | [`Ollama`](Self::Ollama) | `OLLAMA_API_KEY`, if it wants one | `OLLAMA_BASE_URL` |
/// | [`OpenRouter`](Self::OpenRouter) | `OPENROUTER_API_KEY` | `OPENROUTER_BASE_URL` |
/// | [`Snowflake`](Self::Snowflake) | `SNOWFLAKE_TOKEN` | of the account in `SNOWFLAKE_ACCOUNT` |
/// | [`Together`](Self::Together) | `TOGETHER_API_KEY` | `TOGETHER_BASE_URL` |
/// | [`Vllm`](Self::Vllm) | `VLLM_API_KEY`, if it wants one | `VLLM_BASE_URL` |
/// | [`Zai`](Self::Zai) | `ZAI_API_KEY` | `ZAI_BASE_URL` |
///
/// ```no_run
/// use toolwright::provider::openai::{OpenAiChatModel, Service};
///
/// # fn main() -> toolwright::Result<()> {
/// let model = OpenAiChatModel::at(Service::DeepSeek, "deepseek-chat").build()?;
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Service {
    /// OpenAI itself.
    #[default]
    OpenAi,
    /// Azure. A model's name is that of its deployment; see
    /// [`OpenAiChatModelBuilder::api_version`](super::OpenAiChatModelBuilder::api_version).
    Azure,
    /// OpenAI's models at Amazon Bedrock, with a bearer key. Most speak Responses alone, and `openai.gpt-oss-safeguard` models Chat
    /// Completions alone.
    BedrockMantle,
    /// Cerebras.
    Cerebras,
    /// Crusoe's managed inference.
    Crusoe,
    /// DeepSeek.
    DeepSeek,
    /// Fireworks.
    Fireworks,
    /// GitHub Copilot, with a token of its own.
    GitHubCopilot,
    /// Ollama, by default on this machine. It ignores which tools are chosen, so the model is only told of those it may call.
    Ollama,
    /// OpenRouter. A model's name begins with who made it, as in `anthropic/claude-sonnet-4.5`.
    OpenRouter,
    /// Snowflake Cortex. Tools are for the models of OpenAI and Anthropic alone.
    Snowflake,
    /// Together.
    Together,
    /// vLLM, by default on this machine.
    Vllm,
    /// Z.AI.
    Zai,
}

impl Service {
    /// All services.
    pub const ALL: [Self; 14] = [
        Self::OpenAi,
        Self::Azure,
        Self::BedrockMantle,
        Self::Cerebras,
        Self::Crusoe,
        Self::DeepSeek,
        Self::Fireworks,
        Self::GitHubCopilot,
        Self::Ollama,
        Self::OpenRouter,
        Self::Snowflake,
        Self::Together,
        Self::Vllm,
        Self::Zai,
    ];

    /// The service's name in messages and model names, such as `deepseek`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether a model at Bedrock Mantle speaks Chat Completions, and not Responses.
    pub(crate) fn speaks_chat_at_bedrock_mantle(model: &str) -> bool {
        mantle::speaks_chat(model)
    }

    /// What is known of a model behind Chat Completions by its name.
    pub(super) fn chat_profile(self, model: &str) -> ChatProfile {
        (self.row().profile)(model)
    }

    /// What is known of a model behind Responses by its name.
    pub(super) fn responses_profile(self, model: &str) -> OpenAiResponsesProfile {
        match self {
            Self::OpenAi | Self::Azure => OpenAiResponsesProfile::of(model),
            Self::BedrockMantle => profile::bedrock_mantle_responses(model),
            service => profile::responses(&service.chat_profile(model)),
        }
    }

    /// Opens a connection, and says where on it a model is asked.
    ///
    /// # Errors
    ///
    /// Misuse, when a key or a URL is missing or none, or when no HTTP client can be made.
    pub(super) fn connect(self, connection: ConnectionBuilder, addressee: &Addressee<'_>) -> Result<(Connection, Url)> {
        self.row().connect(connection, addressee, &|variable| std::env::var(variable).ok())
    }

    fn row(self) -> &'static Row {
        table::row(self)
    }
}
