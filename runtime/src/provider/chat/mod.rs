//! The Chat Completions API, which OpenAI made and many providers speak.
//!
//! What providers and models differ in is told by a [`ChatProfile`].

mod calls;
mod choice;
mod content;
mod decode;
mod detail;
mod effort;
mod failed;
mod family;
mod format;
mod message;
mod profile;
mod request;
mod role;
mod service;
mod stream;
#[cfg(all(test, feature = "openai"))]
pub(crate) mod tests;
mod think;
mod thinking;
mod tools;

use reqwest::Url;

pub use effort::{Effort, Reasoning};
pub use profile::{
    CachePoints, ChatProfile, ForcedWithThinking, SchemaForm, ThinkingForm, ThoughtForm, WhileReasoning,
};
pub use role::SystemRole;

pub(crate) use choice::{choose, mode_name, only_tools};
pub(crate) use decode::THOUGHT_FIELDS;
pub(crate) use family::bare_name;
pub(crate) use format::JsonSchema;
pub(crate) use request::Sent;
pub(crate) use service::ChatService;
#[cfg(any(feature = "groq", feature = "huggingface", feature = "xai"))]
pub(crate) use service::chat_model;

use self::failed::FailedGeneration;
use self::stream::StreamedCompletion;
use super::exchange::{Api, Asked, Encoded};
use super::name::WireNames;
use super::stream::read_stream;
use crate::error::{Error, Result};
use crate::http::{Reply, ReplyStream};
use crate::message::{FinishReason, ModelResponse};
use crate::model::{PartEvents, RequestCache};

/// The API, and a model's place in it.
pub(crate) struct Chat {
    pub(crate) form: ChatForm,
    pub(crate) endpoint: Url,
}

/// How a provider's model takes requests.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChatForm {
    /// The provider's name in messages.
    pub(crate) system: &'static str,
    pub(crate) profile: ChatProfile,
}

impl ChatForm {
    /// Reads a reply that came at once.
    ///
    /// # Errors
    ///
    /// The provider's, for a reply that cannot be used.
    pub(crate) fn decode(&self, reply: &Reply, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse> {
        decode::response(reply, self, names, provider_url)
    }

    /// Reads a reply that comes in pieces to its end, and tells of its parts as they come.
    ///
    /// # Errors
    ///
    /// The provider's, for a reply that breaks off, tells of an error, or cannot be used.
    pub(crate) async fn read(
        &self,
        stream: ReplyStream,
        names: &WireNames<'_>,
        events: &mut PartEvents<'_>,
        provider_url: &str,
    ) -> Result<ModelResponse> {
        read_stream(stream, StreamedCompletion::new(self, names, events), provider_url).await
    }
}

impl Api for Chat {
    fn has_native_output(&self) -> bool {
        self.form.profile.json_schema_output
    }

    fn endpoint(&self, _streamed: bool) -> &Url {
        &self.endpoint
    }

    fn encode(&self, asked: &Asked<'_>, cache: &mut RequestCache) -> Result<Encoded> {
        request::body(asked, &self.form, cache.get::<Sent>())
    }

    fn decode(&self, reply: &Reply, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse> {
        self.form.decode(reply, names, provider_url)
    }

    async fn read(
        &self,
        stream: ReplyStream,
        names: &WireNames<'_>,
        events: &mut PartEvents<'_>,
        provider_url: &str,
    ) -> Result<ModelResponse> {
        self.form.read(stream, names, events, provider_url).await
    }

    fn salvage(&self, error: Error, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse> {
        let refusal = error.refusal().filter(|_| self.form.profile.failed_generations);
        let Some(failed) = refusal.and_then(FailedGeneration::of) else { return Err(error) };
        let mut response = ModelResponse::new(failed.part(names).into_iter().collect());
        response.finish_reason = Some(FinishReason::Error);
        response.provider_name = Some(self.form.system.to_owned());
        response.provider_url = Some(provider_url.to_owned());
        Ok(response)
    }
}
