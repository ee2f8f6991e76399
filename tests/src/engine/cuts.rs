//! Streamed replies that are cut: what models make of what is left of them.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use reqwest::{Request, Response};
use serde::Deserialize;
use serde_json::Value;
use toolwright::error::BoxError;
use toolwright::message::{ModelRequest, ModelResponse, RequestPart, ResponsePart, UserPromptPart};
use toolwright::model::{AnyModel, ModelInput, PartEvent, PartEvents, RequestCache};
use toolwright::provider::Transport;
use toolwright::{Error, ErrorKind, History, Model, ModelSettings, ToolDefinition};

use super::models::provider_model;
use super::tools::ToolSpec;
use crate::case::Suite;

/// How long a cut reply may keep its model busy.
const LIMIT: Duration = Duration::from_secs(10);

/// A streamed reply of a case.
#[derive(Debug)]
pub struct Stream {
    /// The case's id.
    pub id: String,
    /// The API that it is of.
    pub api: String,
    model: String,
    tools: Vec<ToolDefinition>,
    /// The reply.
    pub text: String,
}

/// All streamed replies of the cases that can be read.
#[must_use]
pub fn streams(suite: &Suite) -> Vec<Stream> {
    let mut streams = Vec::new();
    for case in &suite.cases {
        let Ok(said) = case.said() else { continue };
        let text = |key: &str| said.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let tools: Vec<ToolSpec> = said.get("tools").and_then(|tools| Vec::deserialize(tools).ok()).unwrap_or_default();
        let runs = said.get("runs").and_then(Value::as_array).into_iter().flatten();
        let replies = runs.filter_map(|run| run.get("http")?.as_array()).flatten();
        streams.extend(replies.filter_map(|reply| reply.get("sse")?.as_str()).map(|sse| Stream {
            id: case.id.clone(),
            api: text("api"),
            model: text("model"),
            tools: tools.iter().map(ToolSpec::definition).collect(),
            text: sse.to_owned(),
        }));
    }
    streams
}

impl Stream {
    /// Whether there is a model that speaks its API.
    #[must_use]
    pub fn is_spoken(&self) -> bool {
        provider_model(&self.api, &self.model, "http://localhost", Left::default()).is_ok()
    }

    /// Cuts the reply at these places. What is left has to be an error of the provider's, or all of the answer, and so
    /// has what its events tell.
    ///
    /// # Errors
    ///
    /// What is not so, and for which cut.
    pub async fn cut(&self, places: impl IntoIterator<Item = usize>) -> Result<(), String> {
        let left = Left::default();
        let model = provider_model(&self.api, &self.model, "http://localhost", left.clone())?;
        let input = self.input();
        let whole = self.answer(&model, &input, &left, self.text.len()).await?.map_err(|error| error.to_string());
        for end in places {
            match self.answer(&model, &input, &left, end).await? {
                Ok(answer) if whole.as_ref() == Ok(&answer) => {}
                Ok(answer) => {
                    return Err(format!("cut at {end}, it is taken for whole: {answer:?}, instead of {whole:?}"));
                }
                Err(error) if error.kind() == ErrorKind::Provider => {}
                Err(error) => return Err(format!("cut at {end}, it is an error of another kind: {error:?}")),
            }
        }
        Ok(())
    }

    fn input(&self) -> ModelInput {
        let mut history = History::new();
        history.push(ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new("Go."))]));
        let settings = ModelSettings::new().max_retries(0);
        ModelInput::new(history).function_tools(self.tools.clone()).settings(settings)
    }

    /// The answer to what is left of the reply; an error of this function's is one of the library.
    async fn answer(
        &self,
        model: &AnyModel,
        input: &ModelInput,
        left: &Left,
        end: usize,
    ) -> Result<Result<ModelResponse, Error>, String> {
        left.set(&self.text.as_bytes()[..end]);
        let mut told = Told::default();
        let mut listener = |event| told.hear(event);
        let (mut cache, mut events) = (RequestCache::default(), PartEvents::new(&mut listener));
        let asked = AssertUnwindSafe(model.request_stream(input, &mut cache, &mut events)).catch_unwind();
        let answer = tokio::time::timeout(LIMIT, asked)
            .await
            .map_err(|_| format!("cut at {end}, it does not end"))?
            .map_err(|_| format!("cut at {end}, it panics"))?;
        told.check(answer.as_ref().ok()).map_err(|fault| format!("cut at {end}, {fault}"))?;
        Ok(answer.map(|answer| self.comparable(answer)))
    }

    /// The answer without what differs from one time to the next: when it came, and ids that were made up.
    fn comparable(&self, mut answer: ModelResponse) -> ModelResponse {
        answer.timestamp = None;
        for part in &mut answer.parts {
            if let ResponsePart::ToolCall(call) = part
                && !self.text.contains(&call.tool_call_id)
            {
                call.tool_call_id = "made up".to_owned();
            }
        }
        answer
    }
}

/// What the events of a stream tell: each part as it began and went on, and as it is whole.
#[derive(Default)]
struct Told {
    parts: BTreeMap<usize, ResponsePart>,
    fault: Option<String>,
}

impl Told {
    fn hear(&mut self, event: PartEvent) {
        match event {
            PartEvent::Start { index, part, .. } => {
                self.parts.insert(index, part);
            }
            PartEvent::Delta { index, delta, .. } => match self.parts.get_mut(&index) {
                Some(part) => delta.apply(part),
                None => self.fault = Some(format!("more is told of part {index} than that it begins")),
            },
            PartEvent::End { index, part, .. } => {
                self.parts.insert(index, part);
            }
            _ => {}
        }
    }

    fn check(self, answer: Option<&ModelResponse>) -> Result<(), String> {
        match (self.fault, answer) {
            (Some(fault), _) => Err(fault),
            (None, Some(answer)) if !self.parts.values().eq(&answer.parts) => {
                Err(format!("other parts are told of than there are: {:?}, not {:?}", self.parts, answer.parts))
            }
            _ => Ok(()),
        }
    }
}

/// Gives every request what is left of a reply.
#[derive(Clone, Default)]
struct Left(Arc<Mutex<Vec<u8>>>);

impl Left {
    fn set(&self, left: &[u8]) {
        left.clone_into(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Transport for Left {
    async fn send(&self, _: Request) -> Result<Response, BoxError> {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(http::Response::builder().header("content-type", "text/event-stream").body(left)?.into())
    }
}
