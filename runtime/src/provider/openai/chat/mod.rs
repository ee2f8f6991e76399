//! OpenAI's Chat Completions API, which many servers speak.

mod calls;
mod content;
mod decode;
mod message;
mod profile;
mod request;
mod stream;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::Arc;

use reqwest::Url;

pub use profile::OpenAiChatProfile;

use self::request::Sent;
use self::stream::StreamedCompletion;
use super::ACCESS;
use crate::error::Result;
use crate::http::{Reply, ReplyStream};
use crate::message::ModelResponse;
use crate::model::{ModelSettings, PartEvents, RequestCache};
use crate::provider::connection::{ConnectionBuilder, connection_methods};
use crate::provider::exchange::{Api, Asked, Encoded, Exchange, Shared, exchange_model};
use crate::provider::name::WireNames;
use crate::provider::stream::read_stream;

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
pub struct OpenAiChatModel(Shared<Chat>);

exchange_model!(OpenAiChatModel);

/// The API and the model's place in it.
struct Chat {
    profile: OpenAiChatProfile,
    endpoint: Url,
}

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
            profile: OpenAiChatProfile::of(&name),
            name,
            connection: ConnectionBuilder::default(),
            settings: ModelSettings::default(),
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &OpenAiChatProfile {
        &self.0.api.profile
    }
}

impl Api for Chat {
    fn has_native_output(&self) -> bool {
        self.profile.json_schema_output
    }

    fn endpoint(&self, _streamed: bool) -> &Url {
        &self.endpoint
    }

    fn encode(&self, asked: &Asked<'_>, cache: &mut RequestCache) -> Result<Encoded> {
        request::body(asked, &self.profile, cache.get::<Sent>())
    }

    fn decode(&self, reply: &Reply, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse> {
        decode::response(reply, names, provider_url)
    }

    async fn read(
        &self,
        stream: ReplyStream,
        names: &WireNames<'_>,
        events: &mut PartEvents<'_>,
        provider_url: &str,
    ) -> Result<ModelResponse> {
        read_stream(stream, StreamedCompletion::new(names, events, self.profile.stream_usage), provider_url).await
    }
}

/// Says how a [`OpenAiChatModel`] is reached and what it can do.
#[derive(Clone)]
pub struct OpenAiChatModelBuilder {
    name: String,
    profile: OpenAiChatProfile,
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
    pub fn profile(mut self, correct: impl FnOnce(&mut OpenAiChatProfile)) -> Self {
        correct(&mut self.profile);
        self
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
    pub fn build(self) -> Result<OpenAiChatModel> {
        let connection = self.connection.build(&ACCESS, "OpenAiChatModel::builder(…)")?;
        let endpoint = connection.endpoint(["chat", "completions"])?;
        Ok(OpenAiChatModel(Arc::new(Exchange {
            name: self.name,
            settings: self.settings,
            connection,
            api: Chat { profile: self.profile, endpoint },
        })))
    }
}

connection_methods!(
    OpenAiChatModelBuilder, key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", example: "http://localhost:8000/v1"
);
