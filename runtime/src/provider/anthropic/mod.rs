//! Anthropic's Messages API.

mod cache;
mod content;
mod decode;
mod message;
mod profile;
mod request;
mod result;
mod stream;
#[cfg(test)]
mod tests;
mod thinking;
mod tools;

use std::fmt;
use std::sync::Arc;

use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};

pub use profile::{AnthropicProfile, HowToThink, NoThinking};

use self::cache::CacheSettings;
use self::request::{Sent, Target};
use self::stream::StreamedMessage;
use self::thinking::ThinkingPlan;
use super::connection::{Access, Connection, ConnectionBuilder, connection_methods};
use super::name::WireNames;
use super::stream::read_stream;
use crate::error::{Error, Result};
use crate::http::{ReplyStream, Request};
use crate::message::{CacheTtl, ModelResponse};
use crate::model::{Model, ModelInput, ModelSettings, PartEvents, RequestCache};

/// The provider's name in messages.
const SYSTEM: &str = "anthropic";
/// The version of the API that is spoken.
const VERSION: (HeaderName, HeaderValue) =
    (HeaderName::from_static("anthropic-version"), HeaderValue::from_static("2023-06-01"));
const BETA: HeaderName = HeaderName::from_static("anthropic-beta");
/// What a request asks for that leaves out thoughts which the model refuses.
const BINDING_BETA: &str = "thinking-binding-controls-2026-08-01";
/// What such a refusal says; the API has no other mark for it.
const BOUND_ELSEWHERE: &str = "bound to a different conversation";
/// The most tokens of an answer that is waited for in one piece: more may take longer than connections last.
const MOST_AT_ONCE: u64 = 21_333;

const ACCESS: Access = Access {
    system: SYSTEM,
    key_variables: &["ANTHROPIC_API_KEY"],
    url_variable: "ANTHROPIC_BASE_URL",
    default_url: "https://api.anthropic.com",
    key_header: |key| Ok((HeaderName::from_static("x-api-key"), key.plain()?)),
};

/// A model behind Anthropic's Messages API. Cloning shares it, its connections included.
///
/// ```no_run
/// use toolwright::provider::anthropic::AnthropicModel;
///
/// # fn main() -> toolwright::Result<()> {
/// let model = AnthropicModel::new("claude-sonnet-5-5")?;
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
///
/// The API must be told how long an answer may be: where no setting says it, as long as the model can write. An answer that
/// may have more than 21,333 tokens is asked for as a stream even where nobody watches it, as it may take longer than a
/// silent connection lasts.
///
/// Thoughts are kept in the history with the provider's signature, and sent back with it.
#[derive(Clone)]
pub struct AnthropicModel(Arc<Inner>);

struct Inner {
    name: String,
    profile: AnthropicProfile,
    settings: ModelSettings,
    cache: CacheSettings,
    /// What of the API is asked for that not everybody has.
    betas: Vec<String>,
    connection: Connection,
    endpoint: Url,
}

impl AnthropicModel {
    /// The model of this name, with the key in `ANTHROPIC_API_KEY`; at Anthropic, or where `ANTHROPIC_BASE_URL` says.
    ///
    /// # Errors
    ///
    /// Misuse, when the key is missing or the URL is none.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        Self::builder(name).build()
    }

    /// The model of this name, with more to say about it.
    pub fn builder(name: impl Into<String>) -> AnthropicModelBuilder {
        let name = name.into();
        AnthropicModelBuilder {
            profile: AnthropicProfile::of(&name),
            name,
            connection: ConnectionBuilder::default(),
            settings: ModelSettings::default(),
            cache: CacheSettings::default(),
            betas: Vec::new(),
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &AnthropicProfile {
        &self.0.profile
    }
}

impl fmt::Debug for AnthropicModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnthropicModel")
            .field("name", &self.0.name)
            .field("url", &self.0.connection.shown_url)
            .finish_non_exhaustive()
    }
}

impl Model for AnthropicModel {
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
        if request::max_tokens(&model.profile, &settings) > MOST_AT_ONCE {
            return model.streamed(input, &settings, cache, &mut PartEvents::unheard()).await;
        }
        match model.whole(input, &settings, cache).await {
            Err(error) if model.leaves_thoughts(&error, &settings, cache) => model.whole(input, &settings, cache).await,
            answer => answer,
        }
    }

    async fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        let settings = self.0.settings(input);
        self.0.streamed(input, &settings, cache, events).await
    }
}

impl Inner {
    /// An agent has merged them already, which merging again does not change.
    fn settings(&self, input: &ModelInput) -> ModelSettings {
        self.settings.merged(&input.settings)
    }

    async fn whole(
        &self,
        input: &ModelInput,
        settings: &ModelSettings,
        cache: &mut RequestCache,
    ) -> Result<ModelResponse> {
        let names = WireNames::of_input(input)?;
        let request = self.http_request(input, settings, cache, false)?;
        let reply = self.connection.client().send(request).await?;
        decode::response(&reply, &names, &self.connection.shown_url)
    }

    async fn streamed(
        &self,
        input: &ModelInput,
        settings: &ModelSettings,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        let names = WireNames::of_input(input)?;
        let stream = match self.begin_stream(input, settings, cache).await {
            Err(error) if self.leaves_thoughts(&error, settings, cache) => {
                self.begin_stream(input, settings, cache).await?
            }
            stream => stream?,
        };
        if stream.is_document() {
            let response = decode::response(&stream.document().await?, &names, &self.connection.shown_url)?;
            events.whole(&response);
            return Ok(response);
        }
        read_stream(stream, StreamedMessage::new(&names, events), &self.connection.shown_url).await
    }

    async fn begin_stream(
        &self,
        input: &ModelInput,
        settings: &ModelSettings,
        cache: &mut RequestCache,
    ) -> Result<ReplyStream> {
        self.connection.client().stream(self.http_request(input, settings, cache, true)?).await
    }

    /// Whether the model has refused a request for its earlier thoughts alone, which are left out from now on: a hook that
    /// changes tools or instructions is enough for that.
    fn leaves_thoughts(&self, error: &Error, settings: &ModelSettings, cache: &mut RequestCache) -> bool {
        let is_about_thoughts = error.status() == Some(400) && error.to_string().contains(BOUND_ELSEWHERE);
        let is_ours = settings.extra_body.as_ref().is_none_or(|extra| !extra.contains_key("thinking"));
        let can_leave = ThinkingPlan::of(&self.profile, settings.thinking).anew().is_some();
        let sent = cache.get::<Sent>();
        if !(self.profile.bound_thoughts && is_about_thoughts && is_ours && can_leave) || sent.leaves_thoughts {
            return false;
        }
        sent.leaves_thoughts = true;
        cache.note(format!(
            "`{}` does not take back the thoughts it had before tools, instructions or earlier messages changed: they are left \
             out",
            self.name
        ));
        true
    }

    fn http_request<'a>(
        &'a self,
        input: &ModelInput,
        settings: &'a ModelSettings,
        cache: &mut RequestCache,
        streamed: bool,
    ) -> Result<Request<'a>> {
        let target = Target { model: &self.name, profile: &self.profile, cache: self.cache, streamed };
        let encoded = request::body(&target, input, settings, cache.get::<Sent>())?;
        encoded.notes.into_iter().for_each(|note| cache.note(note));
        let mut request = self.connection.request(&self.endpoint, encoded.body, settings);
        request.headers.extend([VERSION]);
        let binding = cache.get::<Sent>().leaves_thoughts.then_some(BINDING_BETA);
        let betas: Vec<_> = self.betas.iter().map(String::as_str).chain(binding).collect();
        if !betas.is_empty() {
            request.headers.insert(BETA, beta_header(&betas.join(","))?);
        }
        Ok(request)
    }
}

/// Says how a [`AnthropicModel`] is reached and what it can do.
#[derive(Clone)]
pub struct AnthropicModelBuilder {
    name: String,
    profile: AnthropicProfile,
    connection: ConnectionBuilder,
    settings: ModelSettings,
    cache: CacheSettings,
    betas: Vec<String>,
}

impl AnthropicModelBuilder {
    /// Lets the provider cache the definitions of tools, up to the last one.
    ///
    /// A request has at most four places up to which it is cached, this and those of the other methods included. Where
    /// prompts name more with [`CachePoint`](crate::message::CachePoint), the newest count. What is cached for longer has to
    /// come first, so tools and instructions are remembered at least as long as what follows.
    #[must_use]
    pub fn cache_tools(mut self, ttl: CacheTtl) -> Self {
        self.cache.tools = Some(ttl);
        self
    }

    /// Lets the provider cache the system prompt and the instructions, and the tools before them.
    #[must_use]
    pub fn cache_instructions(mut self, ttl: CacheTtl) -> Self {
        self.cache.instructions = Some(ttl);
        self
    }

    /// Lets the provider cache the conversation, in every request up to its end: the next request of a run then finds all
    /// but what is new.
    ///
    /// ```
    /// use toolwright::message::CacheTtl;
    /// use toolwright::provider::anthropic::AnthropicModel;
    ///
    /// let model = AnthropicModel::builder("claude-sonnet-5-5")
    ///     .api_key("unused")
    ///     .cache_instructions(CacheTtl::Hour)
    ///     .cache_history(CacheTtl::FiveMinutes)
    ///     .build()?;
    /// # let _ = model;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn cache_history(mut self, ttl: CacheTtl) -> Self {
        self.cache.history = Some(ttl);
        self
    }

    /// Asks for a part of the API that is not for everybody yet, by its name, with every request. A header of this kind in
    /// [`ModelSettings::extra_headers`] stands in place of all of them.
    #[must_use]
    pub fn beta(mut self, name: impl Into<String>) -> Self {
        self.betas.push(name.into());
        self
    }

    /// Corrects what the model is taken to be able to do.
    ///
    /// ```
    /// # use toolwright::provider::anthropic::AnthropicModel;
    /// let model = AnthropicModel::builder("kimi-k3")
    ///     .base_url("http://localhost:8000")
    ///     .api_key("unused")
    ///     .profile(|profile| profile.documents = false)
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn profile(mut self, correct: impl FnOnce(&mut AnthropicProfile)) -> Self {
        correct(&mut self.profile);
        self
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, when a beta's name cannot be sent, or when no HTTP client
    /// can be made.
    pub fn build(self) -> Result<AnthropicModel> {
        let connection = self.connection.build(&ACCESS, "AnthropicModel::builder(…)")?;
        beta_header(&self.betas.join(","))?;
        Ok(AnthropicModel(Arc::new(Inner {
            name: self.name,
            profile: self.profile,
            settings: self.settings,
            cache: self.cache,
            betas: self.betas,
            endpoint: endpoint(&connection)?,
            connection,
        })))
    }
}

connection_methods!(
    AnthropicModelBuilder, key: "ANTHROPIC_API_KEY", url: "ANTHROPIC_BASE_URL", example: "http://localhost:8000"
);

impl fmt::Debug for AnthropicModelBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnthropicModelBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}

fn beta_header(names: &str) -> Result<HeaderValue> {
    HeaderValue::try_from(names)
        .map_err(|_| Error::misuse(format!("`beta` is given a name that no HTTP header can carry: {names:?}")))
}

/// Where requests go. The server's URL may name the version of the API, as other providers' do.
fn endpoint(connection: &Connection) -> Result<Url> {
    match connection.ends_with("v1") {
        true => connection.endpoint(["messages"]),
        false => connection.endpoint(["v1", "messages"]),
    }
}
