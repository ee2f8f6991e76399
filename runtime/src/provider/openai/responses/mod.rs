//! OpenAI's Responses API.

mod content;
mod decode;
mod item;
mod items;
mod message;
mod native;
mod profile;
mod request;
mod reveal;
mod search;
mod stream;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::Arc;

use reqwest::Url;

pub use profile::OpenAiResponsesProfile;

use self::message::ItemForm;
use self::request::Sent;
use self::reveal::Revealable;
use self::stream::StreamedAnswer;
use super::service::{Addressee, Service, Spoken};
use crate::error::{BoxError, Result};
use crate::http::{Reply, ReplyStream};
use crate::message::ModelResponse;
use crate::model::{ModelSettings, PartEvents, RequestCache};
use crate::native::NativeTool;
use crate::provider::connection::{ConnectionBuilder, connection_methods};
use crate::provider::exchange::{Api, Asked, Encoded, Exchange, Shared, exchange_model};
use crate::provider::name::WireNames;
use crate::provider::stream::read_stream;
use crate::provider::tokens::Tokens;

/// A model behind OpenAI's Responses API. Cloning shares it, its connections included.
///
/// The whole conversation is sent with every request, and thoughts in a form that only the API can read: nothing depends on
/// what the server keeps. It keeps responses all the same unless it is told not to, with `store` in
/// [`ModelSettings::extra_body`].
///
/// ```no_run
/// use toolwright::provider::openai::OpenAiResponsesModel;
///
/// # fn main() -> toolwright::Result<()> {
/// let model = OpenAiResponsesModel::new("gpt-5.2")?;
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct OpenAiResponsesModel(Shared<Responses>);

exchange_model!(OpenAiResponsesModel);

/// What the hosts of OpenAI's own servers end with: there are several, one for each region.
const OWN_HOSTS: &str = ".openai.com";

/// The API and the model's place in it.
struct Responses {
    form: ItemForm,
    endpoint: Url,
}

impl OpenAiResponsesModel {
    /// The model of this name, with the key in `OPENAI_API_KEY`; at OpenAI, or where `OPENAI_BASE_URL` says.
    ///
    /// # Errors
    ///
    /// Misuse, when the key is missing or the URL is none.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        Self::builder(name).build()
    }

    /// The model of this name, with more to say about it.
    pub fn builder(name: impl Into<String>) -> OpenAiResponsesModelBuilder {
        Self::at(Service::OpenAi, name)
    }

    /// The model of this name at another service that speaks the API, such as Azure.
    pub fn at(service: Service, name: impl Into<String>) -> OpenAiResponsesModelBuilder {
        let name = name.into();
        OpenAiResponsesModelBuilder {
            service,
            profile: service.responses_profile(&name),
            name,
            api_version: None,
            connection: ConnectionBuilder::default(),
            settings: ModelSettings::default(),
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &OpenAiResponsesProfile {
        &self.0.api.form.profile
    }
}

impl Api for Responses {
    fn has_native_output(&self) -> bool {
        self.form.profile.json_schema_output
    }

    fn has_native_tool(&self, tool: &NativeTool) -> bool {
        let form = &self.form;
        form.profile.native_tools == Some(true) && native::is_there(tool, form.system)
    }

    fn endpoint(&self, _streamed: bool) -> &Url {
        &self.endpoint
    }

    fn encode(&self, asked: &Asked<'_>, cache: &mut RequestCache) -> Result<Encoded> {
        request::body(asked, &self.form, cache.get::<Sent>())
    }

    fn decode(&self, reply: &Reply, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse> {
        decode::response(reply, self.form.system, names, provider_url)
    }

    async fn read(
        &self,
        stream: ReplyStream,
        names: &WireNames<'_>,
        events: &mut PartEvents<'_>,
        provider_url: &str,
    ) -> Result<ModelResponse> {
        read_stream(stream, StreamedAnswer::new(self.form.system, names, events), provider_url).await
    }
}

/// Says how an [`OpenAiResponsesModel`] is reached and what it can do.
#[derive(Clone)]
pub struct OpenAiResponsesModelBuilder {
    service: Service,
    name: String,
    profile: OpenAiResponsesProfile,
    api_version: Option<String>,
    connection: ConnectionBuilder,
    settings: ModelSettings,
}

impl OpenAiResponsesModelBuilder {
    /// Corrects what the model is taken to be able to do.
    ///
    /// ```
    /// # use toolwright::provider::openai::OpenAiResponsesModel;
    /// let model = OpenAiResponsesModel::builder("gpt-oss-20b")
    ///     .base_url("http://localhost:8000/v1")
    ///     .api_key("unused")
    ///     .profile(|profile| {
    ///         profile.allowed_tools = false;
    ///         profile.documents = false;
    ///     })
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn profile(mut self, correct: impl FnOnce(&mut OpenAiResponsesProfile)) -> Self {
        correct(&mut self.profile);
        self
    }

    /// Which version of Azure's dated APIs is spoken, such as `2025-03-01-preview`; without one, it is the API without
    /// versions.
    #[must_use]
    pub fn api_version(mut self, version: impl Into<String>) -> Self {
        self.api_version = Some(version.into());
        self
    }

    /// A provider of bearer tokens, such as those of Microsoft Entra for Azure, in place of a key. It is asked before every
    /// request, so it should keep a token for as long as that is good.
    ///
    /// ```
    /// # use toolwright::provider::openai::{OpenAiResponsesModel, Service};
    /// async fn token() -> Result<String, std::io::Error> {
    ///     Ok("from wherever tokens come".to_owned())
    /// }
    ///
    /// let model = OpenAiResponsesModel::at(Service::Azure, "my-deployment")
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
    pub fn build(self) -> Result<OpenAiResponsesModel> {
        let addressee = Addressee { api: Spoken::Responses, model: &self.name, version: self.api_version.as_deref() };
        let (connection, endpoint) = self.service.connect(self.connection, &addressee)?;
        let is_openai = connection.host().is_some_and(|host| host.ends_with(OWN_HOSTS));
        let form = ItemForm {
            system: self.service.name(),
            profile: self.profile.at(is_openai),
            server: connection.shown_url.clone(),
            revealable: Revealable::default(),
        };
        let api = Responses { form, endpoint };
        Ok(OpenAiResponsesModel(Arc::new(Exchange { name: self.name, settings: self.settings, connection, api })))
    }
}

connection_methods!(
    OpenAiResponsesModelBuilder, key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", example: "http://localhost:8000/v1"
);
