//! OpenAI's Responses API.

mod content;
mod decode;
mod item;
mod items;
mod message;
mod profile;
mod request;
mod stream;
#[cfg(test)]
mod tests;
mod tools;

use std::fmt;
use std::sync::Arc;

use reqwest::Url;

pub use profile::OpenAiResponsesProfile;

use self::message::ItemForm;
use self::request::{Sent, Target};
use self::stream::StreamedAnswer;
use super::{ACCESS, SYSTEM};
use crate::error::Result;
use crate::http::Request;
use crate::message::ModelResponse;
use crate::model::{Model, ModelInput, ModelSettings, PartEvents, RequestCache};
use crate::provider::connection::{Connection, ConnectionBuilder, connection_methods};
use crate::provider::name::WireNames;
use crate::provider::stream::read_stream;

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
pub struct OpenAiResponsesModel(Arc<Inner>);

struct Inner {
    name: String,
    form: ItemForm,
    settings: ModelSettings,
    connection: Connection,
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
        let name = name.into();
        OpenAiResponsesModelBuilder {
            profile: OpenAiResponsesProfile::of(&name),
            name,
            connection: ConnectionBuilder::default(),
            settings: ModelSettings::default(),
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &OpenAiResponsesProfile {
        &self.0.form.profile
    }
}

impl fmt::Debug for OpenAiResponsesModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiResponsesModel")
            .field("name", &self.0.name)
            .field("url", &self.0.connection.shown_url)
            .finish_non_exhaustive()
    }
}

impl Model for OpenAiResponsesModel {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn system(&self) -> &str {
        SYSTEM
    }

    fn settings(&self) -> Option<&ModelSettings> {
        Some(&self.0.settings)
    }

    fn has_native_output(&self) -> bool {
        self.0.form.profile.json_schema_output
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse> {
        let model = &*self.0;
        let settings = model.settings(input);
        let names = WireNames::of_input(input)?;
        let request = model.http_request(input, &settings, cache, false)?;
        let reply = model.connection.client().send(request).await?;
        decode::response(&reply, &names, &model.connection.shown_url)
    }

    async fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        let model = &*self.0;
        let settings = model.settings(input);
        let names = WireNames::of_input(input)?;
        let request = model.http_request(input, &settings, cache, true)?;
        let stream = model.connection.client().stream(request).await?;
        if stream.is_document() {
            let response = decode::response(&stream.document().await?, &names, &model.connection.shown_url)?;
            events.whole(&response);
            return Ok(response);
        }
        let reply = StreamedAnswer::new(&names, events);
        read_stream(stream, reply, &model.connection.shown_url).await
    }
}

impl Inner {
    /// An agent has merged them already, which merging again does not change.
    fn settings(&self, input: &ModelInput) -> ModelSettings {
        self.settings.merged(&input.settings)
    }

    fn http_request<'a>(
        &'a self,
        input: &ModelInput,
        settings: &'a ModelSettings,
        cache: &mut RequestCache,
        streamed: bool,
    ) -> Result<Request<'a>> {
        let target = Target { model: &self.name, form: &self.form, streamed };
        let encoded = request::body(&target, input, settings, cache.get::<Sent>())?;
        encoded.notes.into_iter().for_each(|note| cache.note(note));
        Ok(self.connection.request(&self.endpoint, encoded.body, settings))
    }
}

/// Says how an [`OpenAiResponsesModel`] is reached and what it can do.
#[derive(Clone)]
pub struct OpenAiResponsesModelBuilder {
    name: String,
    profile: OpenAiResponsesProfile,
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

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
    pub fn build(self) -> Result<OpenAiResponsesModel> {
        let connection = self.connection.build(&ACCESS, "OpenAiResponsesModel::builder(…)")?;
        Ok(OpenAiResponsesModel(Arc::new(Inner {
            name: self.name,
            form: ItemForm { profile: self.profile, server: connection.shown_url.clone() },
            settings: self.settings,
            endpoint: connection.endpoint(["responses"])?,
            connection,
        })))
    }
}

connection_methods!(
    OpenAiResponsesModelBuilder, key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", example: "http://localhost:8000/v1"
);

impl fmt::Debug for OpenAiResponsesModelBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiResponsesModelBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}
