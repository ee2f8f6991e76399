//! A request up to the moment at which it leaves: nothing answers it, so nothing of a reply is counted.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use reqwest::{Request, Response};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use toolwright::Model;
use toolwright::error::BoxError;
use toolwright::model::{AnyModel, ModelInput, RequestCache};
use toolwright::provider::Transport;
use toolwright::provider::anthropic::AnthropicModel;
use toolwright::provider::google::GoogleModel;
use toolwright::provider::openai::{OpenAiChatModel, OpenAiResponsesModel};

use super::conversation::{history, tools};

/// How long the conversation is in a first request, and in the one after that: a question more, and its call.
const MESSAGES: usize = 201;
const MORE: usize = 2;

/// Whose API is spoken.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Api {
    OpenAiChat,
    OpenAiResponses,
    Anthropic,
    Google,
}

/// Which request it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// The first of all: no definition was encoded before.
    OfProcess,
    /// The first of a run with tools that other runs have used.
    OfRun,
    /// The second of a run.
    Next,
}

impl Place {
    fn messages(self) -> usize {
        match self {
            Self::OfProcess | Self::OfRun => MESSAGES,
            Self::Next => MESSAGES + MORE,
        }
    }
}

/// A request that can be made.
pub(crate) struct Step {
    runtime: Runtime,
    model: AnyModel,
    input: ModelInput,
    cache: RequestCache,
    sent: Arc<Sent>,
}

impl Step {
    pub(crate) fn new(api: Api, place: Place) -> Self {
        let sent = Arc::new(Sent::default());
        let mut step = Self {
            runtime: Builder::new_current_thread().enable_time().build().expect("a runtime of one thread"),
            model: model(api, sent.clone()),
            input: ModelInput::new(history(MESSAGES)).function_tools(tools()),
            cache: RequestCache::default(),
            sent,
        };
        match place {
            Place::OfProcess => {
                // Whatever is made once per process is made, by other tools.
                Self::new(api, Place::OfRun).send();
            }
            Place::OfRun => {
                step.send();
                step.cache = RequestCache::default();
            }
            Place::Next => {
                step.send();
                let more = history(place.messages());
                step.input.history.extend(more.since(MESSAGES).iter().cloned());
            }
        }
        step
    }

    /// Makes the request, up to the transport.
    pub(crate) fn send(&mut self) {
        let _in_runtime = self.runtime.enter();
        let request = pin!(self.model.request(&self.input, &mut self.cache));
        let polled = request.poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(polled, Poll::Pending), "a request that is not answered");
    }

    /// The body of the request.
    fn body(mut self) -> Vec<u8> {
        *self.sent.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
        self.send();
        let body = self.sent.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        body.expect("a body")
    }
}

/// The body of a request, as a value.
pub(crate) struct Ready(Value);

impl Ready {
    pub(crate) fn new(api: Api, place: Place) -> Self {
        Self(serde_json::from_slice(&Step::new(api, place).body()).expect("JSON"))
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        serde_json::to_vec(&self.0).expect("JSON")
    }
}

/// Refuses to compare what is not the same: both ways must write the same bytes.
pub(crate) fn check_fairness() {
    for api in [Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Google] {
        for place in [Place::OfProcess, Place::OfRun, Place::Next] {
            let written = Ready::new(api, place).write();
            assert_eq!(Step::new(api, place).body(), written, "{api:?} {place:?}");
            assert!(written.len() > 50_000, "{api:?} {place:?}: {}", written.len());
        }
        let (first, next) = (Step::new(api, Place::OfRun).body(), Step::new(api, Place::Next).body());
        assert!(next.len() > first.len() + 200, "{api:?}");
    }
}

/// A server that never answers, and keeps what it is sent if it is to.
#[derive(Default)]
struct Sent(Mutex<Option<Vec<u8>>>);

impl Transport for Sent {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        if let Some(kept) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            kept.extend_from_slice(request.body().and_then(reqwest::Body::as_bytes).unwrap_or_default());
        }
        std::future::pending().await
    }
}

fn model(api: Api, server: Arc<Sent>) -> AnyModel {
    match api {
        Api::OpenAiChat => AnyModel::new(
            OpenAiChatModel::builder("gpt-5.2").api_key("unused").transport(server).build().expect("a model"),
        ),
        Api::OpenAiResponses => AnyModel::new(
            OpenAiResponsesModel::builder("gpt-5.2").api_key("unused").transport(server).build().expect("a model"),
        ),
        Api::Anthropic => AnyModel::new(
            AnthropicModel::builder("claude-sonnet-4-5").api_key("unused").transport(server).build().expect("a model"),
        ),
        Api::Google => AnyModel::new(
            GoogleModel::builder("gemini-2.5-flash").api_key("unused").transport(server).build().expect("a model"),
        ),
    }
}
