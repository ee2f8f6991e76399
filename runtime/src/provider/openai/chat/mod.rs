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
mod transcript;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap};

pub use profile::{OpenAiChatProfile, SystemRole};

use self::request::{Sent, Target};
use self::stream::StreamedReply;
use super::SYSTEM;
use crate::error::{Error, Result};
use crate::http::{AnyTransport, ApiKey, Client, Request, Transport};
use crate::message::ModelResponse;
use crate::model::{Model, ModelInput, ModelSettings, PartEvents, RequestCache};
use crate::provider::name::WireNames;

/// The environment variable with the API key.
const KEY_VARIABLE: &str = "OPENAI_API_KEY";
/// The environment variable with another server's URL.
const URL_VARIABLE: &str = "OPENAI_BASE_URL";
const DEFAULT_URL: &str = "https://api.openai.com/v1";

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
pub struct OpenAiChatModel(Arc<Inner>);

struct Inner {
    name: String,
    profile: OpenAiChatProfile,
    settings: ModelSettings,
    client: Client,
    endpoint: Url,
    /// Where the server is, without anything secret.
    shown_url: String,
    key: ApiKey,
    headers: HeaderMap,
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
            key: None,
            base_url: None,
            transport: None,
            first_byte: None,
            settings: ModelSettings::default(),
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &OpenAiChatProfile {
        &self.0.profile
    }
}

impl fmt::Debug for OpenAiChatModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiChatModel")
            .field("name", &self.0.name)
            .field("url", &self.0.shown_url)
            .finish_non_exhaustive()
    }
}

impl Model for OpenAiChatModel {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn system(&self) -> &str {
        SYSTEM
    }

    fn settings(&self) -> Option<&ModelSettings> {
        Some(&self.0.settings)
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse> {
        let model = &*self.0;
        let settings = model.settings(input);
        let names = wire_names(input)?;
        let request = model.http_request(input, &settings, cache, false)?;
        let reply = model.client.send(request).await?;
        decode::response(&reply, &names, &model.shown_url)
    }

    async fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        let model = &*self.0;
        let settings = model.settings(input);
        let names = wire_names(input)?;
        let request = model.http_request(input, &settings, cache, true)?;
        let stream = model.client.stream(request).await?;
        if stream.is_document() {
            let response = decode::response(&stream.document().await?, &names, &model.shown_url)?;
            events.whole(&response);
            return Ok(response);
        }
        let reply = StreamedReply::new(&names, events, model.profile.stream_usage);
        stream::response(stream, reply, &model.shown_url).await
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
        let target = Target { model: &self.name, profile: &self.profile, streamed };
        let encoded = request::body(&target, input, settings, cache.get::<Sent>())?;
        encoded.notes.into_iter().for_each(|note| cache.note(note));
        Ok(Request {
            provider: SYSTEM,
            url: &self.endpoint,
            headers: self.headers.clone(),
            key: &self.key,
            body: encoded.body,
            settings,
        })
    }
}

fn wire_names(input: &ModelInput) -> Result<WireNames<'_>> {
    WireNames::of(input.function_tools.iter().chain(input.output_tools.iter()))
}

/// Says how a [`OpenAiChatModel`] is reached and what it can do.
#[derive(Clone)]
pub struct OpenAiChatModelBuilder {
    name: String,
    profile: OpenAiChatProfile,
    key: Option<ApiKey>,
    base_url: Option<String>,
    transport: Option<AnyTransport>,
    first_byte: Option<Duration>,
    settings: ModelSettings,
}

impl OpenAiChatModelBuilder {
    /// The API key, instead of the one in `OPENAI_API_KEY`. It is never shown. A server that wants none is given any.
    #[must_use]
    pub fn api_key(mut self, key: impl AsRef<str>) -> Self {
        self.key = Some(ApiKey::new(key.as_ref()));
        self
    }

    /// Where the API is, such as `http://localhost:8000/v1`, instead of where `OPENAI_BASE_URL` says.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// The HTTP client, with whatever proxies and certificates it has. It should follow no redirects, as the library's own
    /// client does not. That one is shared by all models that are given none, and has a thread for its connections.
    #[must_use]
    pub fn client(self, client: reqwest::Client) -> Self {
        self.transport(client)
    }

    /// What carries requests, in place of an HTTP client; see [`Transport`].
    #[must_use]
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.transport = Some(AnyTransport::new(transport));
        self
    }

    /// How long the server may take to begin its reply, and be silent within a streamed one; five minutes unless set. A
    /// reply that does not begin is asked for again, as often as [`ModelSettings::max_retries`] says.
    #[must_use]
    pub fn first_byte_timeout(mut self, limit: Duration) -> Self {
        self.first_byte = Some(limit);
        self
    }

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

    /// The model's own settings, under those of agents and runs.
    #[must_use]
    pub fn settings(mut self, settings: ModelSettings) -> Self {
        self.settings = settings;
        self
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
    pub fn build(self) -> Result<OpenAiChatModel> {
        let key = self.key.or_else(|| ApiKey::from_env(KEY_VARIABLE)).ok_or_else(|| {
            Error::misuse(format!(
                "no API key: set {KEY_VARIABLE}, or give one with `OpenAiChatModel::builder(…).api_key(…)`"
            ))
        })?;
        let base_url = self.base_url.or_else(|| std::env::var(URL_VARIABLE).ok().filter(|url| !url.trim().is_empty()));
        let (endpoint, shown_url) = endpoint(base_url.as_deref().unwrap_or(DEFAULT_URL))?;
        let client = self.transport.map_or_else(Client::new, |transport| Ok(Client::over(transport)))?;
        let client = match self.first_byte {
            Some(limit) => client.first_byte(limit),
            None => client,
        };
        Ok(OpenAiChatModel(Arc::new(Inner {
            name: self.name,
            profile: self.profile,
            settings: self.settings,
            client,
            endpoint,
            shown_url,
            headers: HeaderMap::from_iter([(AUTHORIZATION, key.bearer()?)]),
            key,
        })))
    }
}

impl fmt::Debug for OpenAiChatModelBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiChatModelBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Where requests go, and the same without user, password and query.
fn endpoint(base_url: &str) -> Result<(Url, String)> {
    let misuse =
        || Error::misuse(format!("the base URL is no http or https URL; it is set by `base_url` or by {URL_VARIABLE}"));
    let mut url = Url::parse(base_url.trim()).map_err(|error| misuse().with_source(error))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(misuse());
    }
    let mut shown = url.clone();
    shown.set_query(None);
    // Both only fail for URLs without a host, which these have.
    let _ = (shown.set_username(""), shown.set_password(None));
    url.path_segments_mut().map_err(|()| misuse())?.pop_if_empty().extend(["chat", "completions"]);
    Ok((url, shown.into()))
}
