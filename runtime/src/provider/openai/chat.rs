//! OpenAI's Chat Completions API, which many servers speak.

use std::sync::Arc;

use super::service::{Addressee, Service, Spoken};
use crate::error::{BoxError, Result};
use crate::model::ModelSettings;
use crate::provider::chat::{Chat, ChatForm, ChatProfile};
use crate::provider::connection::{ConnectionBuilder, connection_methods};
use crate::provider::exchange::{Exchange, Shared, exchange_model};
use crate::provider::tokens::Tokens;

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
        Self::at(Service::OpenAi, name)
    }

    /// The model of this name at another service that speaks the API.
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
    pub fn at(service: Service, name: impl Into<String>) -> OpenAiChatModelBuilder {
        let name = name.into();
        OpenAiChatModelBuilder {
            service,
            profile: service.chat_profile(&name),
            name,
            api_version: None,
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

/// Says how an [`OpenAiChatModel`] is reached and what it can do.
#[derive(Clone)]
pub struct OpenAiChatModelBuilder {
    service: Service,
    name: String,
    profile: ChatProfile,
    api_version: Option<String>,
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

    /// Which version of Azure's dated APIs is spoken, such as `2024-10-21`; without one, it is the API without versions.
    ///
    /// ```
    /// # use toolwright::provider::openai::{OpenAiChatModel, Service};
    /// let model = OpenAiChatModel::at(Service::Azure, "my-deployment")
    ///     .base_url("https://my-resource.openai.azure.com")
    ///     .api_version("2024-10-21")
    ///     .api_key("a key")
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn api_version(mut self, version: impl Into<String>) -> Self {
        self.api_version = Some(version.into());
        self
    }

    /// A provider of bearer tokens, such as those of Microsoft Entra for Azure, in place of a key. It is asked before every
    /// request, so it should keep a token for as long as that is good.
    ///
    /// ```
    /// # use toolwright::provider::openai::{OpenAiChatModel, Service};
    /// async fn token() -> Result<String, std::io::Error> {
    ///     Ok("from wherever tokens come".to_owned())
    /// }
    ///
    /// let model = OpenAiChatModel::at(Service::Azure, "my-deployment")
    ///     .base_url("https://my-resource.openai.azure.com")
    ///     .token_provider(token)
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn token_provider<F, E>(mut self, give: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<String, E>> + Send + 'static,
        E: Into<BoxError>,
    {
        self.connection.tokens = Some(Tokens::new(give));
        self
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when a key or a URL is missing or none, when the service has no such API, or when no HTTP client can be made.
    pub fn build(self) -> Result<OpenAiChatModel> {
        let addressee = Addressee { api: Spoken::Chat, model: &self.name, version: self.api_version.as_deref() };
        let (connection, endpoint) = self.service.connect(self.connection, &addressee)?;
        let form = ChatForm { system: self.service.name(), profile: self.profile };
        let api = Chat { form, endpoint };
        Ok(OpenAiChatModel(Arc::new(Exchange { name: self.name, settings: self.settings, connection, api })))
    }
}

connection_methods!(
    OpenAiChatModelBuilder, key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", example: "http://localhost:8000/v1"
);
