//! Google's Gemini API.

mod calling;
mod content;
mod decode;
mod function_response;
mod message;
mod profile;
mod replay;
mod request;
mod schema;
mod stream;
#[cfg(test)]
mod tests;
mod thinking;
mod tools;
mod usage;

use std::fmt;
use std::sync::Arc;

use reqwest::Url;
use reqwest::header::HeaderName;

pub use profile::GoogleProfile;
pub use thinking::{GoogleThinking, ThinkingLevel};

use self::request::Sent;
use self::stream::StreamedCandidate;
use self::tools::NAMES;
use crate::error::Result;
use crate::http::Request;
use crate::message::ModelResponse;
use crate::model::{Model, ModelInput, ModelSettings, PartEvents, RequestCache};
use crate::provider::connection::{Access, Connection, ConnectionBuilder, connection_methods};
use crate::provider::name::WireNames;
use crate::provider::stream::read_stream;

/// The provider's name in messages.
const SYSTEM: &str = "google";

const ACCESS: Access = Access {
    system: SYSTEM,
    key_variables: &["GOOGLE_API_KEY", "GEMINI_API_KEY"],
    url_variable: "GOOGLE_GEMINI_BASE_URL",
    default_url: "https://generativelanguage.googleapis.com",
    key_header: |key| Ok((HeaderName::from_static("x-goog-api-key"), key.plain()?)),
};
/// The API's version, which stands first in every path.
const VERSION: &str = "v1beta";

/// A model behind Google's Gemini API. Cloning shares it, its connections included.
///
/// ```no_run
/// use toolwright::provider::google::GoogleModel;
///
/// # fn main() -> toolwright::Result<()> {
/// let model = GoogleModel::new("gemini-3-pro-preview")?;
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct GoogleModel(Arc<Inner>);

struct Inner {
    name: String,
    profile: GoogleProfile,
    settings: ModelSettings,
    connection: Connection,
    /// Where to ask for a reply at once, and for one in chunks.
    endpoint: Url,
    stream_endpoint: Url,
}

impl GoogleModel {
    /// The model of this name, with the key in `GOOGLE_API_KEY` or `GEMINI_API_KEY`; at Google, or where
    /// `GOOGLE_GEMINI_BASE_URL` says.
    ///
    /// # Errors
    ///
    /// Misuse, when the key is missing or the URL is none.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        Self::builder(name).build()
    }

    /// The model of this name, with more to say about it.
    pub fn builder(name: impl Into<String>) -> GoogleModelBuilder {
        let name = name.into();
        GoogleModelBuilder {
            profile: GoogleProfile::of(&name),
            name,
            connection: ConnectionBuilder::default(),
            settings: ModelSettings::default(),
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &GoogleProfile {
        &self.0.profile
    }
}

impl fmt::Debug for GoogleModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleModel")
            .field("name", &self.0.name)
            .field("url", &self.0.connection.shown_url)
            .finish_non_exhaustive()
    }
}

impl Model for GoogleModel {
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
        self.0.profile.json_schema_output
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse> {
        let model = &*self.0;
        let settings = model.settings(input);
        let names = WireNames::by(&NAMES, input.tools())?;
        let request = model.http_request(&model.endpoint, input, &settings, cache)?;
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
        let names = WireNames::by(&NAMES, input.tools())?;
        let request = model.http_request(&model.stream_endpoint, input, &settings, cache)?;
        let stream = model.connection.client().stream(request).await?;
        if stream.is_document() {
            let response = decode::response(&stream.document().await?, &names, &model.connection.shown_url)?;
            events.whole(&response);
            return Ok(response);
        }
        read_stream(stream, StreamedCandidate::new(&names, events), &model.connection.shown_url).await
    }
}

impl Inner {
    /// An agent has merged them already, which merging again does not change.
    fn settings(&self, input: &ModelInput) -> ModelSettings {
        self.settings.merged(&input.settings)
    }

    fn http_request<'a>(
        &'a self,
        endpoint: &'a Url,
        input: &ModelInput,
        settings: &'a ModelSettings,
        cache: &mut RequestCache,
    ) -> Result<Request<'a>> {
        let encoded = request::body(&self.name, &self.profile, input, settings, cache.get::<Sent>())?;
        encoded.notes.into_iter().for_each(|note| cache.note(note));
        Ok(self.connection.request(endpoint, encoded.body, settings))
    }
}

/// Says how a [`GoogleModel`] is reached and what it can do.
#[derive(Clone)]
pub struct GoogleModelBuilder {
    name: String,
    profile: GoogleProfile,
    connection: ConnectionBuilder,
    settings: ModelSettings,
}

connection_methods!(
    GoogleModelBuilder,
    key: "GOOGLE_API_KEY",
    url: "GOOGLE_GEMINI_BASE_URL",
    example: "https://generativelanguage.googleapis.com"
);

impl GoogleModelBuilder {
    /// Corrects what the model is taken to be able to do.
    ///
    /// ```
    /// # use toolwright::provider::google::{GoogleModel, GoogleThinking};
    /// let model = GoogleModel::builder("tunedModels/mine")
    ///     .api_key("unused")
    ///     .profile(|profile| {
    ///         profile.result_media_types = &[];
    ///         profile.thinking = GoogleThinking::Never;
    ///     })
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn profile(mut self, correct: impl FnOnce(&mut GoogleProfile)) -> Self {
        correct(&mut self.profile);
        self
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
    pub fn build(self) -> Result<GoogleModel> {
        let connection = self.connection.build(&ACCESS, "GoogleModel::builder(…)")?;
        let endpoint = |method: &str| {
            // Names may say what they are names of, as in `tunedModels/mine`.
            let name = if self.name.contains('/') { self.name.clone() } else { format!("models/{}", self.name) };
            let path = format!("{VERSION}/{name}:{method}");
            connection.endpoint(path.split('/'))
        };
        let mut stream_endpoint = endpoint("streamGenerateContent")?;
        stream_endpoint.set_query(Some("alt=sse"));
        Ok(GoogleModel(Arc::new(Inner {
            endpoint: endpoint("generateContent")?,
            stream_endpoint,
            name: self.name,
            profile: self.profile,
            settings: self.settings,
            connection,
        })))
    }
}

impl fmt::Debug for GoogleModelBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleModelBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}
