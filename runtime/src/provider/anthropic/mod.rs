//! Anthropic's Messages API.

mod cache;
mod content;
mod decode;
mod message;
mod native;
mod request;
mod result;
mod search;
mod stream;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

pub use super::claude::{AnthropicProfile, HowToThink, NoThinking};

use self::request::{Sent, Target};
use self::stream::StreamedMessage;
use super::cache::{CACHE_CONTROLS, CacheSettings};
use super::claude::{MOST_AT_ONCE, ThinkingPlan, max_tokens};
use super::connection::{Access, Connection, ConnectionBuilder, connection_methods};
use super::exchange::{Api, Asked, Encoded, Exchange, Shared, exchange_model};
use super::name::WireNames;
use super::stream::read_stream;
use crate::error::{Error, Result};
use crate::http::{Reply, ReplyStream};
use crate::message::{CacheTtl, ModelResponse};
use crate::model::{ModelSettings, PartEvents, RequestCache, SearchStrategy};
use crate::native::NativeTool;

/// The provider's name in messages.
const SYSTEM: &str = "anthropic";
/// The version of the API that is spoken.
const VERSION: (HeaderName, HeaderValue) =
    (HeaderName::from_static("anthropic-version"), HeaderValue::from_static("2023-06-01"));
const BETA: HeaderName = HeaderName::from_static("anthropic-beta");
/// What a request asks for whose messages add tools.
const ADDITIONS_BETA: &str = "mid-conversation-tool-changes-2026-07-01";
/// What a request asks for that leaves out thoughts which the model refuses.
const BINDING_BETA: &str = "thinking-binding-controls-2026-08-01";
/// What such a refusal says; the API has no other mark for it.
const BOUND_ELSEWHERE: &str = "bound to a different conversation";

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
pub struct AnthropicModel(Shared<Messages>);

exchange_model!(AnthropicModel);

/// The API and the model's place in it.
struct Messages {
    target: Target,
    /// What of the API is asked for that not everybody has.
    betas: Vec<String>,
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
        &self.0.api.target.profile
    }
}

impl Api for Messages {
    fn has_native_output(&self) -> bool {
        self.target.profile.json_schema_output
    }

    fn can_search(&self, strategy: SearchStrategy) -> bool {
        self.target.profile.tool_search || !strategy.is_only_the_providers()
    }

    fn has_native_tool(&self, tool: &NativeTool) -> bool {
        native::is_there(tool)
    }

    fn endpoint(&self, _streamed: bool) -> &Url {
        &self.endpoint
    }

    fn encode(&self, asked: &Asked<'_>, cache: &mut RequestCache) -> Result<Encoded> {
        request::body(asked, &self.target, cache.get::<Sent>())
    }

    fn add_headers(&self, headers: &mut HeaderMap, cache: &mut RequestCache) -> Result<()> {
        headers.extend([VERSION]);
        let sent = cache.get::<Sent>();
        let binding = sent.leaves_thoughts.then_some(BINDING_BETA);
        let additions = sent.adds_tools().then_some(ADDITIONS_BETA);
        let needed = binding.into_iter().chain(additions).chain(sent.native_betas.iter().copied());
        let betas: Vec<_> = self.betas.iter().map(String::as_str).chain(needed).collect();
        if !betas.is_empty() {
            headers.insert(BETA, beta_header(&betas.join(","))?);
        }
        Ok(())
    }

    fn cache_marks(&self) -> &'static [&'static [u8]] {
        &CACHE_CONTROLS
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
        read_stream(stream, StreamedMessage::new(names, events), provider_url).await
    }

    fn streams_unheard(&self, settings: &ModelSettings) -> bool {
        max_tokens(&self.target.profile, settings) > MOST_AT_ONCE
    }

    /// When the model has refused a request for its earlier thoughts alone, they are left out from now on: a hook that
    /// changes tools or instructions is enough for that.
    fn asks_again(&self, error: &Error, model: &str, settings: &ModelSettings, cache: &mut RequestCache) -> bool {
        let profile = &self.target.profile;
        let is_about_thoughts = error.status() == Some(400) && error.to_string().contains(BOUND_ELSEWHERE);
        let is_ours = settings.extra_body.as_ref().is_none_or(|extra| !extra.contains_key("thinking"));
        let can_leave = ThinkingPlan::of(profile, settings.thinking).anew().is_some();
        let sent = cache.get::<Sent>();
        if !(profile.bound_thoughts && is_about_thoughts && is_ours && can_leave) || sent.leaves_thoughts {
            return false;
        }
        sent.leaves_thoughts = true;
        cache.note(format!(
            "`{model}` does not take back the thoughts it had before tools, instructions or earlier messages changed: they are \
             left out"
        ));
        true
    }
}

/// Says how an [`AnthropicModel`] is reached and what it can do.
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
        let endpoint = endpoint(&connection)?;
        let target = Target { profile: self.profile, cache: self.cache };
        Ok(AnthropicModel(Arc::new(Exchange {
            name: self.name,
            settings: self.settings,
            connection,
            api: Messages { target, betas: self.betas, endpoint },
        })))
    }
}

connection_methods!(
    AnthropicModelBuilder, key: "ANTHROPIC_API_KEY", url: "ANTHROPIC_BASE_URL", example: "http://localhost:8000"
);

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
