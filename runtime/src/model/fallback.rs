//! Models in order: where one fails, the next is asked.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use tokio::time::Instant;

use super::part_event::{PartEvent, PartEvents};
use super::{AnyModel, Model, ModelInput, RequestCache, SearchStrategy};
use crate::error::{Error, ErrorKind, Result};
use crate::message::{AttemptOutcome, FailedAttempt, ModelResponse, Timestamp};
use crate::native::{NativeTool, WantedTools};
use crate::wording::listed;

/// Models in order: where one fails, the next is asked.
///
/// ```
/// use toolwright::model::FallbackModel;
/// use toolwright::provider::openai::{OpenAiChatModel, OpenAiResponsesModel};
///
/// let model = FallbackModel::new(OpenAiResponsesModel::builder("gpt-5.2").api_key("unused").build()?)
///     .or(OpenAiChatModel::builder("gpt-oss-120b").base_url("http://localhost:8000/v1").api_key("unused").build()?);
/// assert_eq!(toolwright::Model::name(&model), "fallback:gpt-5.2,gpt-oss-120b");
/// # Ok::<(), toolwright::Error>(())
/// ```
///
/// Each model is asked in its own way, with its own settings beneath those of the run: what one of them cannot read or be
/// held to, the next may. A model is passed over when the provider could not be reached, refused the request or answered
/// with something unusable, after it was asked again as its settings say; [`fallback_on`](Self::fallback_on) says it
/// otherwise. Misuse, such as a prompt's file that a model cannot read, ends the request unless that says so.
/// The response says which attempts came before it ([`ModelResponse::failed_attempts`]), and so does the step's report.
/// Each request of a run begins with the first model again.
///
/// A response that streams can be given up only until something of it was told: what was shown cannot be taken back.
/// After that, an error is the request's.
///
/// The models' names and providers stand in the model's own [`name`](Model::name) and [`system`](Model::system).
#[derive(Clone)]
pub struct FallbackModel {
    models: Vec<AnyModel>,
    name: String,
    system: String,
    on_error: Condition<Error>,
    on_response: Option<Condition<ModelResponse>>,
}

/// When to move on to the next model.
type Condition<T> = Arc<dyn Fn(&T) -> bool + Send + Sync>;

impl FallbackModel {
    /// The model that is asked first.
    #[must_use]
    pub fn new(model: impl Model) -> Self {
        let empty = Self {
            models: Vec::new(),
            name: String::new(),
            system: String::new(),
            on_error: Arc::new(|error| error.kind() == ErrorKind::Provider),
            on_response: None,
        };
        empty.or(model)
    }

    /// The model that is asked after all others have failed.
    #[must_use]
    pub fn or(mut self, model: impl Model) -> Self {
        self.models.push(AnyModel::new(model));
        let joined = |part: fn(&AnyModel) -> &str| self.models.iter().map(part).collect::<Vec<_>>().join(",");
        let (names, systems) = (joined(|model| model.name()), joined(|model| model.system()));
        self.name = format!("fallback:{names}");
        self.system = format!("fallback:{systems}");
        self
    }

    /// Says which errors move on to the next model, in place of all that are the provider's. Others end the request.
    ///
    /// ```
    /// # use toolwright::model::{FallbackModel, TestModel};
    /// let model = FallbackModel::new(TestModel::new())
    ///     .or(TestModel::new())
    ///     .fallback_on(|error| error.is_retryable());
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn fallback_on(mut self, moves_on: impl Fn(&Error) -> bool + Send + Sync + 'static) -> Self {
        self.on_error = Arc::new(moves_on);
        self
    }

    /// Says which responses are not taken, so that the next model is asked: none, unless it is said.
    ///
    /// Who streams is then told of a response's parts once it is taken, not as they come.
    ///
    /// ```
    /// use toolwright::message::FinishReason;
    /// # use toolwright::model::{FallbackModel, TestModel};
    ///
    /// let model = FallbackModel::new(TestModel::new())
    ///     .or(TestModel::new())
    ///     .fallback_on_response(|response| response.finish_reason == Some(FinishReason::ContentFilter));
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn fallback_on_response(mut self, moves_on: impl Fn(&ModelResponse) -> bool + Send + Sync + 'static) -> Self {
        self.on_response = Some(Arc::new(moves_on));
        self
    }

    /// Asks the models in turn; `events` is told of the response that is taken, or of nothing.
    async fn ask(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        mut events: Option<&mut PartEvents<'_>>,
    ) -> Result<ModelResponse> {
        let mut chain = Chain::default();
        for (place, model) in self.models.iter().enumerate() {
            let start = (Timestamp::now(), Instant::now());
            let of_model = cache.get::<CachePerModel>().of(place);
            let mut has_told = false;
            let asked = match (with_native_tools_of(model, input), &mut events) {
                (Err(error), _) => Err(error),
                (Ok(input), None) => model.request(&input, of_model).await,
                (Ok(input), Some(_)) if self.on_response.is_some() => {
                    model.request_stream(&input, of_model, &mut PartEvents::unheard()).await
                }
                (Ok(input), Some(events)) => {
                    let mut listener = |event: PartEvent| {
                        has_told = true;
                        events.pass(event);
                    };
                    model.request_stream(&input, of_model, &mut PartEvents::new(&mut listener)).await
                }
            };
            let notes = of_model.take_notes();
            let moved = std::mem::take(&mut of_model.moved);
            notes.into_iter().for_each(|note| cache.note(note));
            cache.moved.extend(moved);
            match asked {
                Ok(response) if self.takes(&response) => {
                    if let (Some(events), Some(_)) = (events, &self.on_response) {
                        events.whole(&response);
                    }
                    return Ok(chain.finish(response));
                }
                Ok(response) => chain.reject(model, response, start, cache),
                Err(error) if !has_told && (self.on_error)(&error) => chain.fail(model, error, start, cache),
                Err(error) => return Err(error.with_attempts(chain.attempts)),
            }
        }
        Err(chain.exhausted())
    }

    fn takes(&self, response: &ModelResponse) -> bool {
        self.on_response.as_ref().is_none_or(|moves_on| !moves_on(response))
    }
}

impl Model for FallbackModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn system(&self) -> &str {
        &self.system
    }

    /// Whether all of them can be: any of them may be the one to answer.
    fn has_native_output(&self) -> bool {
        self.models.iter().all(Model::has_native_output)
    }

    /// Whether all of them do.
    fn has_file_output(&self) -> bool {
        self.models.iter().all(Model::has_file_output)
    }

    /// Whether all of them can.
    fn can_search(&self, strategy: SearchStrategy) -> bool {
        self.models.iter().all(|model| model.can_search(strategy))
    }

    /// Whether any of them has: each is given what it has, and offered the function tools that replace the rest.
    fn has_native_tool(&self, tool: &NativeTool) -> bool {
        self.models.iter().any(|model| model.has_native_tool(tool))
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse> {
        self.ask(input, cache, None).await
    }

    async fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        self.ask(input, cache, Some(events)).await
    }
}

impl fmt::Debug for FallbackModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FallbackModel").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The input with those of the providers' tools that this model's provider has.
///
/// # Errors
///
/// Misuse, where one is missing that nothing replaces.
fn with_native_tools_of<'i>(model: &AnyModel, input: &'i ModelInput) -> Result<Cow<'i, ModelInput>> {
    let wanted = WantedTools::of(&input.native_tools, model);
    wanted.check_replaced(input.function_tools.iter().chain(input.hidden_tools.iter()), model)?;
    if Arc::ptr_eq(&wanted.there, &input.native_tools) {
        return Ok(Cow::Borrowed(input));
    }
    Ok(Cow::Owned(ModelInput { native_tools: wanted.there, ..input.clone() }))
}

/// What each model keeps of the run, as each writes requests of its own.
#[derive(Default)]
struct CachePerModel(Vec<RequestCache>);

impl CachePerModel {
    fn of(&mut self, place: usize) -> &mut RequestCache {
        if self.0.len() <= place {
            self.0.resize_with(place + 1, RequestCache::default);
        }
        &mut self.0[place]
    }
}

/// The attempts at one request.
#[derive(Default)]
struct Chain {
    attempts: Vec<FailedAttempt>,
    last: Option<Error>,
}

impl Chain {
    /// A model has failed.
    fn fail(&mut self, model: &AnyModel, mut error: Error, start: (Timestamp, Instant), cache: &mut RequestCache) {
        cache.note(format!("`{}` was passed over: {error}", model.name()));
        self.attempts.extend(error.take_attempts());
        self.attempts.push(FailedAttempt {
            model_name: model.name().to_owned(),
            provider_name: Some(model.system().to_owned()),
            outcome: AttemptOutcome::Error,
            error: Some(error.to_string()),
            timestamp: start.0,
            duration: start.1.elapsed(),
            usage: None,
            others: serde_json::Map::new(),
        });
        self.last = Some(error);
    }

    /// A model has answered with what is not wanted.
    fn reject(
        &mut self,
        model: &AnyModel,
        response: ModelResponse,
        start: (Timestamp, Instant),
        cache: &mut RequestCache,
    ) {
        cache.note(format!("`{}` was passed over: its response was not taken", model.name()));
        self.attempts.extend(response.failed_attempts);
        self.attempts.push(FailedAttempt {
            model_name: response.model_name.unwrap_or_else(|| model.name().to_owned()),
            provider_name: Some(response.provider_name.unwrap_or_else(|| model.system().to_owned())),
            outcome: AttemptOutcome::Rejected,
            error: None,
            timestamp: start.0,
            duration: start.1.elapsed(),
            usage: Some(response.usage),
            others: serde_json::Map::new(),
        });
        self.last = None;
    }

    /// The response, with the attempts before it.
    fn finish(mut self, mut response: ModelResponse) -> ModelResponse {
        self.attempts.append(&mut response.failed_attempts);
        response.failed_attempts = self.attempts;
        response
    }

    /// The error when no model is left. It may be tried again where the last one's may.
    fn exhausted(self) -> Error {
        let told = self.attempts.iter().map(|attempt| {
            let why = attempt.error.as_deref().unwrap_or("its response was not taken");
            format!("`{}`: {why}", attempt.model_name)
        });
        let told: Vec<_> = told.collect();
        let names: Vec<_> = self.attempts.iter().map(|attempt| attempt.model_name.as_str()).collect();
        let message = format!("none of the models {} answered; {}", listed(names), told.join("; "));
        let error = Error::provider(message);
        let error = match self.last {
            Some(last) => error.caused_by(last),
            None => error,
        };
        error.with_attempts(self.attempts)
    }
}
