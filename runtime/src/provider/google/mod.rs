//! Google's Gemini API.

mod calling;
mod content;
mod decode;
mod function_response;
mod message;
mod native;
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

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::HeaderName;

pub use profile::GoogleProfile;
pub use thinking::{GoogleThinking, ThinkingLevel};

use self::request::Sent;
use self::stream::StreamedCandidate;
use self::tools::NAMES;
use crate::error::Result;
use crate::http::{Reply, ReplyStream};
use crate::message::ModelResponse;
use crate::model::{ModelInput, ModelSettings, PartEvents, RequestCache};
use crate::native::NativeTool;
use crate::provider::connection::{Access, ConnectionBuilder, connection_methods};
use crate::provider::exchange::{Api, Asked, Encoded, Exchange, Shared, exchange_model};
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
pub struct GoogleModel(Shared<Gemini>);

exchange_model!(GoogleModel);

/// The API and the model's place in it.
struct Gemini {
    profile: GoogleProfile,
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
        &self.0.api.profile
    }
}

impl Api for Gemini {
    fn has_native_output(&self) -> bool {
        self.profile.json_schema_output
    }

    fn has_native_tool(&self, tool: &NativeTool) -> bool {
        native::is_there(tool, &self.profile)
    }

    fn names<'a>(&self, input: &'a ModelInput) -> Result<WireNames<'a>> {
        WireNames::by(&NAMES, input.tools())
    }

    fn endpoint(&self, streamed: bool) -> &Url {
        if streamed { &self.stream_endpoint } else { &self.endpoint }
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
        read_stream(stream, StreamedCandidate::new(names, events), provider_url).await
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
        let endpoint = endpoint("generateContent")?;
        Ok(GoogleModel(Arc::new(Exchange {
            name: self.name,
            settings: self.settings,
            connection,
            api: Gemini { profile: self.profile, endpoint, stream_endpoint },
        })))
    }
}
