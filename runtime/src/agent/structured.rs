//! Outputs that the model writes as its text, plain or structured (specification: behaviours 10).

use std::sync::Arc;

use super::EndStrategy;
use super::collect::Target;
use super::output::Refused;
use super::state::RunState;
use super::steps::{Next, text_of};
use crate::error::{Error, Result};
use crate::message::{
    Arguments, FinishReason, ModelRequest, ModelResponse, RequestPart, RetryFeedbackPart, RetryInfo, ToolCallPart,
};
use crate::model::Model;
use crate::output::{OutputFormat, OutputMode, json_in};
use crate::tool::CallKind;
use crate::trace::OutputSpan;

/// What the span of a function over the model's text is called by: nobody has called it by a name.
const TEXT_FUNCTION: &str = "output_function";

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
    pub(super) async fn early_output(&mut self, response: &ModelResponse, calls: &[ToolCallPart]) -> Result<Option<O>> {
        let is_plain = |call: &ToolCallPart| match self.tools.target(&call.tool_name) {
            Target::Unknown | Target::Function(_, CallKind::Function) => true,
            Target::Output(_) | Target::Function(..) => false,
        };
        let text = text_of(response);
        let comes_first = self.agent.end_strategy == EndStrategy::Early && calls.iter().all(is_plain);
        if !comes_first || text.is_empty() || self.agent.output.object.is_none() {
            return Ok(None);
        }
        Ok(self.read_structured(&text).await?.ok())
    }

    /// What a text comes to that is to be a structured output.
    pub(super) async fn structured(&mut self, response: &ModelResponse, text: &str) -> Result<Next<O>> {
        let refused = match self.read_structured(text).await? {
            Ok(output) => return Ok(Next::Done(output)),
            Err(refused) => refused,
        };
        if !refused.was_read() && response.finish_reason == Some(FinishReason::Length) {
            return Err(Error::model_behavior(format!(
                "model `{1}` reached the token limit ({0}) within its output; raise `max_tokens`, or ask for less",
                self.token_limit(),
                self.model.name()
            ))
            .with_source(refused.source));
        }
        self.tell_refused(refused).map(Next::Request)
    }

    /// What comes of a text that is the output as it is.
    pub(super) async fn plain(&mut self, text: String) -> Result<Next<O>> {
        let Some(read) = self.agent.output.text.clone() else { return self.ask_for_output().map(Next::Request) };
        let call = ToolCallPart::new(TEXT_FUNCTION, Arguments::absent());
        let mut span = self.trace.output(&call);
        let whose = || "the agent's text output".to_owned();
        let made = self.make_output(whose, || Ok(read(text)), Self::output_contexts, &mut span).await;
        end_span(span, &made);
        match made? {
            Ok(output) => Ok(Next::Done(output)),
            Err(refused) => self.tell_refused(refused).map(Next::Request),
        }
    }

    /// Tells the model what is wrong with an output that is no call's, as long as the budget lasts.
    fn tell_refused(&mut self, refused: Refused) -> Result<ModelRequest> {
        let max_retries = self.retries.output_budget();
        let attempt = self.ledger.output_failed(max_retries, refused.source)?;
        let retry = RetryInfo::new(refused.cause, attempt, max_retries);
        Ok(ModelRequest::new(vec![RequestPart::RetryFeedback(RetryFeedbackPart::new(refused.content, retry))]))
    }

    /// Reads a text as the run's output, or says what is wrong with it. An error of the output's own ends the run.
    async fn read_structured(&mut self, text: &str) -> Result<std::result::Result<O, Refused>> {
        let agent = self.agent.clone();
        let Some(object) = &agent.output.object else {
            unreachable!("only an agent with a structured output reads text as one");
        };
        let call = ToolCallPart::new(&*object.format.name, Arguments::from_text(json_in(text)));
        let mut span = self.trace.output(&call);
        let whose = || "the agent's output".to_owned();
        let made = self.make_output(whose, || object.tool.read(&call.args), Self::output_contexts, &mut span).await;
        end_span(span, &made);
        made
    }
}

/// Says in the span of an output's function how that ended.
fn end_span<O>(span: OutputSpan<'_>, made: &Result<std::result::Result<O, Refused>>) {
    match made {
        Ok(Ok(_)) => span.succeeded(),
        Ok(Err(refused)) => span.failed(&Error::model_behavior(format!("the output was refused: {}", refused.source))),
        Err(error) => span.failed(error),
    }
}
