//! Asking a model by way of its provider's API: what is the same whichever API it is.

use std::sync::Arc;

use reqwest::Url;
use reqwest::header::HeaderMap;

use super::connection::Connection;
use super::name::WireNames;
use super::prefix;
use crate::error::{Error, Result};
use crate::http::{Reply, ReplyStream, Request};
use crate::message::ModelResponse;
use crate::model::{ModelInput, ModelSettings, PartEvents, RequestCache, SearchStrategy};
use crate::native::{NativeTool, without_rivals};

/// An API: how its requests and replies are written.
pub(crate) trait Api: Send + Sync + 'static {
    /// Whether the model can be held to a JSON schema as it writes text.
    fn has_native_output(&self) -> bool;

    /// Whether hidden tools can be searched by this strategy.
    fn can_search(&self, strategy: SearchStrategy) -> bool {
        !strategy.is_only_the_providers()
    }

    /// Whether the provider runs this tool itself, within its limits.
    fn has_native_tool(&self, _tool: &NativeTool) -> bool {
        false
    }

    /// What the tools are called in requests and replies.
    ///
    /// # Errors
    ///
    /// Misuse, when a tool is called what another one's stand-in would be.
    fn names<'a>(&self, input: &'a ModelInput) -> Result<WireNames<'a>> {
        WireNames::of_input(input)
    }

    /// Where to ask, for a reply at once or for one in pieces.
    fn endpoint(&self, streamed: bool) -> &Url;

    /// Writes the body of a request.
    ///
    /// # Errors
    ///
    /// Misuse, when such a model cannot be asked so.
    fn encode(&self, asked: &Asked<'_>, cache: &mut RequestCache) -> Result<Encoded>;

    /// Adds to the headers of a request that was just encoded.
    ///
    /// # Errors
    ///
    /// Misuse, when a header cannot be sent.
    fn add_headers(&self, _headers: &mut HeaderMap, _cache: &mut RequestCache) -> Result<()> {
        Ok(())
    }

    /// The texts by which a body says up to where to cache it, which are no part of what is cached.
    fn cache_marks(&self) -> &'static [&'static [u8]] {
        &[]
    }

    /// Reads a reply that came at once.
    ///
    /// # Errors
    ///
    /// The provider's, for a reply that cannot be used.
    fn decode(&self, reply: &Reply, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse>;

    /// Reads a reply that comes in pieces to its end, and tells of its parts as they come.
    ///
    /// # Errors
    ///
    /// The provider's, for a reply that breaks off, tells of an error, or cannot be used.
    fn read(
        &self,
        stream: ReplyStream,
        names: &WireNames<'_>,
        events: &mut PartEvents<'_>,
        provider_url: &str,
    ) -> impl Future<Output = Result<ModelResponse>> + Send;

    /// The response that a refusal holds all the same.
    ///
    /// # Errors
    ///
    /// The refusal, if it holds none.
    fn salvage(&self, refusal: Error, _names: &WireNames<'_>, _provider_url: &str) -> Result<ModelResponse> {
        Err(refusal)
    }

    /// Whether to ask for a reply in pieces although nobody watches them come.
    fn streams_unheard(&self, _settings: &ModelSettings) -> bool {
        false
    }

    /// Whether to ask again after this error, with what has been changed in `cache`.
    fn asks_again(&self, _error: &Error, _model: &str, _settings: &ModelSettings, _cache: &mut RequestCache) -> bool {
        false
    }
}

/// What is to be asked.
pub(crate) struct Asked<'a> {
    /// The model's name.
    pub(crate) model: &'a str,
    pub(crate) input: &'a ModelInput,
    /// The settings of the model and the input.
    pub(crate) settings: &'a ModelSettings,
    /// Whether the reply is to come in pieces.
    pub(crate) streamed: bool,
}

#[cfg(test)]
impl<'a> Asked<'a> {
    /// A question as its own settings have it, whose reply is to come at once.
    pub(crate) fn whole(model: &'a str, input: &'a ModelInput) -> Self {
        Self { model, input, settings: &input.settings, streamed: false }
    }
}

/// A request that can be sent.
pub(crate) struct Encoded {
    pub(crate) body: Vec<u8>,
    /// What it could not carry as it was asked to.
    pub(crate) notes: Vec<String>,
}

/// A model behind an API.
pub(crate) struct Exchange<A> {
    pub(crate) name: String,
    pub(crate) settings: ModelSettings,
    pub(crate) connection: Connection,
    pub(crate) api: A,
}

impl<A: Api> Exchange<A> {
    /// Asks for a response.
    ///
    /// # Errors
    ///
    /// Misuse, when such a model cannot be asked so; else the provider's.
    pub(crate) async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse> {
        let input = &*without_rivals(input, cache);
        let settings = self.merged(input);
        if self.api.streams_unheard(&settings) {
            return self.streamed(input, &settings, cache, &mut PartEvents::unheard()).await;
        }
        let names = self.api.names(input)?;
        let asked = Asked { model: &self.name, input, settings: &settings, streamed: false };
        let reply = match self.send(&asked, cache).await {
            Err(error) if self.api.asks_again(&error, &self.name, &settings, cache) => self.send(&asked, cache).await,
            reply => reply,
        };
        match reply {
            Ok(reply) => self.api.decode(&reply, &names, &self.connection.shown_url),
            Err(error) => self.api.salvage(error, &names, &self.connection.shown_url),
        }
    }

    /// Asks for a response and tells of its parts as they come.
    ///
    /// # Errors
    ///
    /// Those of [`request`](Self::request), and the provider's, when the reply breaks off.
    pub(crate) async fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        let input = &*without_rivals(input, cache);
        self.streamed(input, &self.merged(input), cache, events).await
    }

    async fn streamed(
        &self,
        input: &ModelInput,
        settings: &ModelSettings,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        let names = self.api.names(input)?;
        let asked = Asked { model: &self.name, input, settings, streamed: true };
        let stream = match self.open(&asked, cache).await {
            Err(error) if self.api.asks_again(&error, &self.name, settings, cache) => self.open(&asked, cache).await,
            stream => stream,
        };
        let provider_url = &self.connection.shown_url;
        let response = match stream {
            Ok(stream) if stream.is_document() => self.api.decode(&stream.document().await?, &names, provider_url)?,
            Ok(stream) => return self.api.read(stream, &names, events, provider_url).await,
            Err(error) => self.api.salvage(error, &names, provider_url)?,
        };
        events.whole(&response);
        Ok(response)
    }

    async fn send(&self, asked: &Asked<'_>, cache: &mut RequestCache) -> Result<Reply> {
        self.connection.client().send(self.http_request(asked, cache)?).await
    }

    async fn open(&self, asked: &Asked<'_>, cache: &mut RequestCache) -> Result<ReplyStream> {
        self.connection.client().stream(self.http_request(asked, cache)?).await
    }

    fn http_request<'a>(&'a self, asked: &Asked<'a>, cache: &mut RequestCache) -> Result<Request<'a>> {
        let encoded = self.api.encode(asked, cache)?;
        encoded.notes.into_iter().for_each(|note| cache.note(note));
        let moved = prefix::moved(&cache.last_body, &encoded.body, self.api.cache_marks());
        cache.moved.extend(moved);
        cache.last_body.clone_from(&encoded.body);
        let endpoint = self.api.endpoint(asked.streamed);
        let mut request = self.connection.request(endpoint, encoded.body, asked.settings);
        self.api.add_headers(&mut request.headers, cache)?;
        Ok(request)
    }

    /// An agent has merged them already, which merging again does not change.
    fn merged(&self, input: &ModelInput) -> ModelSettings {
        self.settings.merged(&input.settings)
    }
}

/// What a public model holds: a pointer, so that cloning shares it.
pub(crate) type Shared<A> = Arc<Exchange<A>>;

/// Makes a model of a type that holds a [`Shared`] one.
macro_rules! exchange_model {
    ($model:ident) => {
        impl std::fmt::Debug for $model {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($model))
                    .field("name", &self.0.name)
                    .field("url", &self.0.connection.shown_url)
                    .finish_non_exhaustive()
            }
        }

        impl $crate::model::Model for $model {
            fn name(&self) -> &str {
                &self.0.name
            }

            fn system(&self) -> &str {
                self.0.connection.system
            }

            fn settings(&self) -> Option<&$crate::ModelSettings> {
                Some(&self.0.settings)
            }

            fn has_native_output(&self) -> bool {
                $crate::provider::exchange::Api::has_native_output(&self.0.api)
            }

            fn can_search(&self, strategy: $crate::model::SearchStrategy) -> bool {
                $crate::provider::exchange::Api::can_search(&self.0.api, strategy)
            }

            fn has_native_tool(&self, tool: &$crate::NativeTool) -> bool {
                $crate::provider::exchange::Api::has_native_tool(&self.0.api, tool)
            }

            async fn request(
                &self,
                input: &$crate::model::ModelInput,
                cache: &mut $crate::model::RequestCache,
            ) -> $crate::Result<$crate::message::ModelResponse> {
                self.0.request(input, cache).await
            }

            async fn request_stream(
                &self,
                input: &$crate::model::ModelInput,
                cache: &mut $crate::model::RequestCache,
                events: &mut $crate::model::PartEvents<'_>,
            ) -> $crate::Result<$crate::message::ModelResponse> {
                self.0.request_stream(input, cache, events).await
            }
        }
    };
}
pub(crate) use exchange_model;
