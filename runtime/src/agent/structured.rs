//! Outputs that the model writes as its text (specification: behaviours 10).

use std::sync::Arc;

use super::EndStrategy;
use super::collect::Target;
use super::output::Refused;
use super::state::RunState;
use super::steps::{Next, text_of};
use crate::error::{Error, Result};
use crate::message::{Arguments, FinishReason, ModelResponse, ToolCallPart};
use crate::model::Model;
use crate::output::{OutputFormat, OutputMode, json_in};
use crate::tool::CallKind;
use crate::trace::OutputSpan;

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

    /// The output in a response's file or text, where that comes before its calls: only if nothing but plain tools is called.
    /// What does not fit costs nothing then, as the calls are run.
    pub(super) async fn early_output(&mut self, response: &ModelResponse, calls: &[ToolCallPart]) -> Result<Option<O>> {
        let is_plain = |call: &ToolCallPart| match self.tools.target(&call.tool_name) {
            Target::Unknown | Target::Function(_, CallKind::Function) => true,
            Target::Output(_) | Target::Function(..) => false,
        };
        if self.agent.end_strategy != EndStrategy::Early || !calls.iter().all(is_plain) {
            return Ok(None);
        }
        if let Some((output, file)) = self.file_of(response) {
            return Ok(self.make_of_file(output, file).await?.ok());
        }
        let text = text_of(response);
        if text.is_empty() || self.agent.output.object.is_none() {
            return Ok(None);
        }
        Ok(self.read_structured(&text).await?.ok())
    }

    /// What a text comes to that is to be a structured output.
    pub(super) async fn structured(&mut self, response: &ModelResponse, text: &str) -> Result<Next<O>> {
        let made = self.read_structured(text).await?;
        let is_cut = response.finish_reason == Some(FinishReason::Length);
        match made {
            Err(refused) if is_cut && !refused.was_read() => Err(Error::model_behavior(format!(
                "model `{1}` reached the token limit ({0}) within its output; raise `max_tokens`, or ask for less",
                self.token_limit(),
                self.model.name()
            ))
            .with_source(refused.source)),
            made => self.next(made),
        }
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
pub(super) fn end_span<O>(span: OutputSpan<'_>, made: &Result<std::result::Result<O, Refused>>) {
    match made {
        Ok(Ok(_)) => span.succeeded(),
        Ok(Err(refused)) => span.failed(&Error::model_behavior(format!("the output was refused: {}", refused.source))),
        Err(error) => span.failed(error),
    }
}
