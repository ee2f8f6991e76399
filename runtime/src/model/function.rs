//! A model that is a function: for tests that say exactly what the model answers.

use std::fmt;

use super::{Model, ModelInput, RequestCache, SearchStrategy};
use crate::error::Result;
use crate::later::{BoxFuture, Later};
use crate::message::ModelResponse;
use crate::native::{NativeTool, without_rivals};

/// A model that is a function of its input.
///
/// ```
/// use toolwright::message::ModelResponse;
/// use toolwright::model::{FunctionModel, ModelInput};
///
/// let model = FunctionModel::new(|input: &ModelInput| {
///     ModelResponse::text(format!("{} message(s), {} tool(s)", input.history.len(), input.function_tools.len()))
/// });
/// # let _ = model;
/// ```
pub struct FunctionModel {
    answer: AnswerFn,
    name: String,
    system: String,
}

type AnswerFn = Box<dyn Fn(&ModelInput) -> Later<Result<ModelResponse>> + Send + Sync>;

/// What the function of a [`FunctionModel`] returns: a response, or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "a function model cannot answer with `{Self}`",
    note = "its function returns a `ModelResponse`, or a `toolwright::Result` of one"
)]
pub trait Answer {
    /// The answer.
    ///
    /// # Errors
    ///
    /// What the function returned.
    fn into_answer(self) -> Result<ModelResponse>;
}

impl Answer for ModelResponse {
    fn into_answer(self) -> Result<ModelResponse> {
        Ok(self)
    }
}

impl Answer for Result<ModelResponse> {
    fn into_answer(self) -> Result<ModelResponse> {
        self
    }
}

impl FunctionModel {
    /// The model that answers what `answer` returns.
    pub fn new<R: Answer>(answer: impl Fn(&ModelInput) -> R + Send + Sync + 'static) -> Self {
        Self::later(move |input| Later::Now(answer(input).into_answer()))
    }

    /// The model that answers what the future of `answer` gives.
    pub fn new_async<R, Fut>(answer: impl Fn(ModelInput) -> Fut + Send + Sync + 'static) -> Self
    where
        R: Answer,
        Fut: Future<Output = R> + Send + 'static,
    {
        Self::later(move |input| {
            let future = answer(input.clone());
            let boxed: BoxFuture<'static, _> = Box::pin(async move { future.await.into_answer() });
            Later::Then(boxed)
        })
    }

    fn later(answer: impl Fn(&ModelInput) -> Later<Result<ModelResponse>> + Send + Sync + 'static) -> Self {
        Self { answer: Box::new(answer), name: "function".to_owned(), system: "function".to_owned() }
    }

    /// Makes it look like a provider's model to hooks that ask.
    #[must_use]
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = system.into();
        self
    }
}

impl fmt::Debug for FunctionModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionModel").field("system", &self.system).finish_non_exhaustive()
    }
}

impl Model for FunctionModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn system(&self) -> &str {
        &self.system
    }

    fn has_native_output(&self) -> bool {
        true
    }

    /// Its function may do whatever a provider does.
    fn can_search(&self, _: SearchStrategy) -> bool {
        true
    }

    fn has_native_tool(&self, _: &NativeTool) -> bool {
        true
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse> {
        (self.answer)(&without_rivals(input, cache)).get().await
    }
}
