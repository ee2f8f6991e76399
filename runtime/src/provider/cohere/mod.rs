//! Cohere's Chat API, version 2.

mod decode;
mod message;
mod profile;
mod request;
mod stream;
#[cfg(test)]
mod tests;
mod thinking;

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::AUTHORIZATION;

pub use profile::CohereProfile;

use self::request::Sent;
use self::stream::StreamedMessage;
use crate::error::Result;
use crate::http::{Reply, ReplyStream};
use crate::message::ModelResponse;
use crate::model::{ModelSettings, PartEvents, RequestCache};
use crate::provider::connection::{Access, ConnectionBuilder, connection_methods};
use crate::provider::exchange::{Api, Asked, Encoded, Exchange, Shared, exchange_model};
use crate::provider::name::WireNames;
use crate::provider::stream::read_stream;

/// The provider's name in messages.
const SYSTEM: &str = "cohere";

const ACCESS: Access = Access {
    system: SYSTEM,
    key_variables: &["CO_API_KEY"],
    url_variable: "CO_BASE_URL",
    default_url: "https://api.cohere.com",
    key_header: |key| Ok((AUTHORIZATION, key.bearer()?)),
};

/// A model of Cohere's. Cloning shares it, its connections included.
///
/// ```no_run
/// use toolwright::provider::cohere::CohereModel;
///
/// # fn main() -> toolwright::Result<()> {
/// let model = CohereModel::new("command-a-03-2025")?;
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct CohereModel(Shared<Cohere>);

exchange_model!(CohereModel);

/// The API and the model's place in it.
struct Cohere {
    profile: CohereProfile,
    /// The model's name, which replies do not say.
    model: String,
    endpoint: Url,
}

impl CohereModel {
    /// The model of this name, with the key in `CO_API_KEY`; at Cohere, or where `CO_BASE_URL` says.
    ///
    /// # Errors
    ///
    /// Misuse, when the key is missing or the URL is none.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        Self::builder(name).build()
    }

    /// The model of this name, with more to say about it.
    pub fn builder(name: impl Into<String>) -> CohereModelBuilder {
        let name = name.into();
        CohereModelBuilder {
            profile: CohereProfile::of(&name),
            name,
            connection: ConnectionBuilder::default(),
            settings: ModelSettings::default(),
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &CohereProfile {
        &self.0.api.profile
    }
}

impl Api for Cohere {
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
        decode::response(reply, names, &self.model, provider_url)
    }

    async fn read(
        &self,
        stream: ReplyStream,
        names: &WireNames<'_>,
        events: &mut PartEvents<'_>,
        provider_url: &str,
    ) -> Result<ModelResponse> {
        read_stream(stream, StreamedMessage::new(&self.model, names, events), provider_url).await
    }
}

/// Says how a [`CohereModel`] is reached and what it can do.
#[derive(Clone)]
pub struct CohereModelBuilder {
    name: String,
    profile: CohereProfile,
    connection: ConnectionBuilder,
    settings: ModelSettings,
}

impl CohereModelBuilder {
    /// Corrects what the model is taken to be able to do.
    ///
    /// ```
    /// # use toolwright::provider::cohere::CohereModel;
    /// let model = CohereModel::builder("a-fine-tuned-one")
    ///     .api_key("unused")
    ///     .profile(|profile| profile.reasoning = true)
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn profile(mut self, correct: impl FnOnce(&mut CohereProfile)) -> Self {
        correct(&mut self.profile);
        self
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
    pub fn build(self) -> Result<CohereModel> {
        let connection = self.connection.build(&ACCESS, "CohereModel::builder(…)")?;
        let endpoint = match connection.ends_with("v2") {
            true => connection.endpoint(["chat"])?,
            false => connection.endpoint(["v2", "chat"])?,
        };
        Ok(CohereModel(Arc::new(Exchange {
            api: Cohere { profile: self.profile, model: self.name.clone(), endpoint },
            name: self.name,
            settings: self.settings,
            connection,
        })))
    }
}

connection_methods!(
    CohereModelBuilder, key: "CO_API_KEY", url: "CO_BASE_URL", example: "http://localhost:8000"
);
