//! Mistral's API: a dialect of Chat Completions, whose replies are read as those are. Its requests are its own: ids have
//! nine characters, and what an assistant said is a list of chunks, thoughts among them.

mod message;
mod profile;
mod request;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::AUTHORIZATION;

pub use profile::{MistralProfile, MistralReasoning};

use self::request::Sent;
use crate::error::Result;
use crate::http::{Reply, ReplyStream};
use crate::message::ModelResponse;
use crate::model::{ModelSettings, PartEvents, RequestCache};
use crate::provider::chat::{ChatForm, ChatProfile};
use crate::provider::connection::{Access, ConnectionBuilder, connection_methods};
use crate::provider::exchange::{Api, Asked, Encoded, Exchange, Shared, exchange_model};
use crate::provider::name::WireNames;

/// The provider's name in messages.
const SYSTEM: &str = "mistral";

const ACCESS: Access = Access {
    system: SYSTEM,
    key_variables: &["MISTRAL_API_KEY"],
    url_variable: "MISTRAL_BASE_URL",
    default_url: "https://api.mistral.ai/v1",
    key_header: |key| Ok((AUTHORIZATION, key.bearer()?)),
};

/// A model of Mistral's. Cloning shares it, its connections included.
///
/// ```no_run
/// use toolwright::provider::mistral::MistralModel;
///
/// # fn main() -> toolwright::Result<()> {
/// let model = MistralModel::new("mistral-large-latest")?;
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct MistralModel(Shared<Mistral>);

exchange_model!(MistralModel);

/// The API and the model's place in it.
struct Mistral {
    profile: MistralProfile,
    /// How replies are read.
    replies: ChatForm,
    endpoint: Url,
}

impl MistralModel {
    /// The model of this name, with the key in `MISTRAL_API_KEY`; at Mistral, or where `MISTRAL_BASE_URL` says.
    ///
    /// # Errors
    ///
    /// Misuse, when the key is missing or the URL is none.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        Self::builder(name).build()
    }

    /// The model of this name, with more to say about it.
    pub fn builder(name: impl Into<String>) -> MistralModelBuilder {
        let name = name.into();
        MistralModelBuilder {
            profile: MistralProfile::of(&name),
            name,
            connection: ConnectionBuilder::default(),
            settings: ModelSettings::default(),
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &MistralProfile {
        &self.0.api.profile
    }
}

impl Api for Mistral {
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
        self.replies.decode(reply, names, provider_url)
    }

    async fn read(
        &self,
        stream: ReplyStream,
        names: &WireNames<'_>,
        events: &mut PartEvents<'_>,
        provider_url: &str,
    ) -> Result<ModelResponse> {
        self.replies.read(stream, names, events, provider_url).await
    }
}

/// Says how a [`MistralModel`] is reached and what it can do.
#[derive(Clone)]
pub struct MistralModelBuilder {
    name: String,
    profile: MistralProfile,
    connection: ConnectionBuilder,
    settings: ModelSettings,
}

impl MistralModelBuilder {
    /// Corrects what the model is taken to be able to do.
    ///
    /// ```
    /// # use toolwright::provider::mistral::{MistralModel, MistralReasoning};
    /// let model = MistralModel::builder("a-fine-tuned-one")
    ///     .api_key("unused")
    ///     .profile(|profile| profile.reasoning = MistralReasoning::OnRequest)
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn profile(mut self, correct: impl FnOnce(&mut MistralProfile)) -> Self {
        correct(&mut self.profile);
        self
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
    pub fn build(self) -> Result<MistralModel> {
        let connection = self.connection.build(&ACCESS, "MistralModel::builder(…)")?;
        let endpoint = connection.endpoint(["chat", "completions"])?;
        let replies =
            ChatForm { system: SYSTEM, profile: ChatProfile { think_tags: false, ..ChatProfile::compatible() } };
        Ok(MistralModel(Arc::new(Exchange {
            name: self.name,
            settings: self.settings,
            connection,
            api: Mistral { profile: self.profile, replies, endpoint },
        })))
    }
}

connection_methods!(
    MistralModelBuilder, key: "MISTRAL_API_KEY", url: "MISTRAL_BASE_URL", example: "http://localhost:8000/v1"
);
