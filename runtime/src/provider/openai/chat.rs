//! OpenAI's Chat Completions API, which many servers speak.

use std::sync::Arc;

use super::ACCESS;
use crate::error::Result;
use crate::model::ModelSettings;
use crate::provider::chat::{Chat, ChatProfile, ChatService};
use crate::provider::connection::{ConnectionBuilder, connection_methods};
use crate::provider::exchange::{Shared, exchange_model};

const SERVICE: ChatService = ChatService { access: ACCESS, prefix: &[], profile: ChatProfile::of };

/// A model behind OpenAI's Chat Completions API. Cloning shares it, its connections included.
///
/// ```no_run
/// use toolwright::provider::openai::OpenAiChatModel;
///
/// # fn main() -> toolwright::Result<()> {
/// let model = OpenAiChatModel::new("gpt-5.2")?;
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct OpenAiChatModel(pub(in crate::provider) Shared<Chat>);

exchange_model!(OpenAiChatModel);

impl OpenAiChatModel {
    /// The model of this name, with the key in `OPENAI_API_KEY`; at OpenAI, or where `OPENAI_BASE_URL` says.
    ///
    /// # Errors
    ///
    /// Misuse, when the key is missing or the URL is none.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        Self::builder(name).build()
    }

    /// The model of this name, with more to say about it.
    pub fn builder(name: impl Into<String>) -> OpenAiChatModelBuilder {
        let name = name.into();
        OpenAiChatModelBuilder {
            profile: ChatProfile::of(&name),
            name,
            connection: ConnectionBuilder::default(),
            settings: ModelSettings::default(),
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &ChatProfile {
        &self.0.api.form.profile
    }
}

/// Says how a [`OpenAiChatModel`] is reached and what it can do.
#[derive(Clone)]
pub struct OpenAiChatModelBuilder {
    name: String,
    profile: ChatProfile,
    connection: ConnectionBuilder,
    settings: ModelSettings,
}

impl OpenAiChatModelBuilder {
    /// Corrects what the model is taken to be able to do.
    ///
    /// ```
    /// # use toolwright::provider::openai::OpenAiChatModel;
    /// let model = OpenAiChatModel::builder("qwen3")
    ///     .base_url("http://localhost:8000/v1")
    ///     .api_key("unused")
    ///     .profile(|profile| {
    ///         profile.allowed_tools = false;
    ///         profile.max_completion_tokens = false;
    ///     })
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn profile(mut self, correct: impl FnOnce(&mut ChatProfile)) -> Self {
        correct(&mut self.profile);
        self
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
    pub fn build(self) -> Result<OpenAiChatModel> {
        let builder = "OpenAiChatModel::builder(…)";
        let exchange = SERVICE.exchange(self.name, self.profile, self.settings, self.connection, builder)?;
        Ok(OpenAiChatModel(Arc::new(exchange)))
    }
}

connection_methods!(
    OpenAiChatModelBuilder, key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", example: "http://localhost:8000/v1"
);
