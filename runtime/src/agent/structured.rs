//! Outputs that the model writes as its text (specification: behaviours 10).

use std::sync::Arc;

use super::EndStrategy;
use super::collect::Target;
use super::state::RunState;
use super::steps::{Next, text_of};
use crate::error::{BoxError, Error, Result};
use crate::json::Json;
use crate::message::{
    Arguments, FinishReason, ModelRequest, ModelResponse, RequestPart, RetryCause, RetryFeedbackPart, RetryInfo,
    ToolCallPart,
};
use crate::model::Model;
use crate::output::{OutputFailure, OutputFormat, OutputMode, json_in};
use crate::panics::catch;
use crate::tool::{CallFailure, CallKind, Signal};

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// What the model's text is to be, if the model can be held to it.
    pub(super) fn output_format(&self) -> Result<Option<Arc<OutputFormat>>> {
        let Some(object) = &self.agent.output.object else { return Ok(None) };
        if object.format.mode == OutputMode::Native && !self.model.has_native_output() {
            return Err(Error::misuse(format!(
                "model `{}` cannot be held to a schema as it writes text; use `.prompted()` in place of `.native()`, or an output \
                 tool",
                self.model.name()
            )));
        }
        Ok(Some(object.format.clone()))
    }

    /// The output in a response's text, where that comes before its calls: only if nothing but plain tools is called. A text
    /// that does not fit costs nothing then, as the calls are run.
    pub(super) fn early_output(&mut self, response: &ModelResponse, calls: &[ToolCallPart]) -> Result<Option<O>> {
        let is_plain = |call: &ToolCallPart| match self.tools.target(&call.tool_name) {
            Target::Unknown | Target::Function(_, CallKind::Function) => true,
            Target::Output(_) | Target::Function(..) => false,
        };
        let text = text_of(response);
        let comes_first = self.agent.end_strategy == EndStrategy::Early && calls.iter().all(is_plain);
        if !comes_first || text.is_empty() || self.agent.output.object.is_none() {
            return Ok(None);
        }
        Ok(self.read_structured(&text)?.ok())
    }

    /// What a text comes to that is to be a structured output.
    pub(super) fn structured(&mut self, response: &ModelResponse, text: &str) -> Result<Next<O>> {
        let (cause, content, source) = match self.read_structured(text)? {
            Ok(output) => return Ok(Next::Done(output)),
            Err(rejected) => rejected,
        };
        if cause == RetryCause::ValidationError && response.finish_reason == Some(FinishReason::Length) {
            return Err(Error::model_behavior(format!(
                "model `{1}` reached the token limit ({0}) within its output; raise `max_tokens`, or ask for less",
                self.token_limit(),
                self.model.name()
            ))
            .with_source(source));
        }
        let max_retries = self.retries.output_budget();
        let attempt = self.ledger.output_failed(max_retries, source)?;
        let retry = RetryInfo::new(cause, attempt, max_retries);
        Ok(Next::Request(ModelRequest::new(vec![RequestPart::RetryFeedback(RetryFeedbackPart::new(content, retry))])))
    }

    /// Reads a text as the run's output, or says what is wrong with it. An error of the output's own ends the run.
    fn read_structured(&mut self, text: &str) -> Result<std::result::Result<O, (RetryCause, Json, BoxError)>> {
        let Some(object) = &self.agent.output.object else {
            unreachable!("only an agent with a structured output reads text as one");
        };
        let call = ToolCallPart::new(&*object.format.name, Arguments::from_text(json_in(text)));
        let mut span = self.trace.output(&call);
        let failed = |error: BoxError| Error::tool("the agent's output failed", error);
        let read = match catch(|| object.tool.read(&call.args, &mut span)) {
            Ok(read) => read,
            Err(panic) => {
                let error = failed(panic);
                span.failed(&error);
                return Err(error);
            }
        };
        let error = match read {
            Ok(output) => {
                span.succeeded();
                return Ok(Ok(output));
            }
            Err(OutputFailure::Invalid(error)) => {
                return Ok(Err((RetryCause::ValidationError, error.to_json(), error.into())));
            }
            Err(OutputFailure::Rejected(error)) => error,
        };
        let error = match CallFailure::from(error) {
            CallFailure::Signal(Signal::Retry(message)) => {
                span.failed(&Error::model_behavior(format!("the output was refused: {message}")));
                return Ok(Err((RetryCause::ModelRetry, Json::from(message.as_str()), message.into())));
            }
            CallFailure::Signal(signal) => failed(signal.into()),
            CallFailure::Other(error) => failed(error),
        };
        span.failed(&error);
        Err(error)
    }
}
