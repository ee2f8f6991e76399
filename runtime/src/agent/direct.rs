//! Outputs that are no call's and have no schema: the model's text, and files that it makes (specification: behaviours 10).

use super::output::{ReadOutput, Refused};
use super::state::RunState;
use super::steps::Next;
use super::structured::end_span;
use crate::error::{Error, Result};
use crate::message::{
    Arguments, BinaryContent, ModelRequest, ModelResponse, RequestPart, RetryFeedbackPart, RetryInfo, ToolCallPart,
};
use crate::model::Model;
use crate::output::FileOutput;

/// What the span of an output's function is called by, where nobody has called it by a name.
const OUTPUT_FUNCTION: &str = "output_function";

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// What a text comes to that is the output as it is.
    pub(super) async fn text(&mut self, text: String) -> Result<Next<O>> {
        let Some(read) = self.agent.output.text.clone() else { return self.ask_for_output().map(Next::Request) };
        let made = self.make_direct("the agent's text output", || Ok(read(text))).await?;
        self.next(made)
    }

    /// Refuses a model that makes no files, where the output may be one.
    pub(super) fn check_file_output(&self) -> Result<()> {
        match &self.agent.output.file {
            Some(file) if !self.model.has_file_output() => Err(Error::misuse(format!(
                "model `{}` makes no files, and the output may be {}; ask a model that does, or leave that out",
                self.model.name(),
                file.wanted()
            ))),
            _ => Ok(()),
        }
    }

    /// The file of a response that can be the output, and what makes one of it.
    pub(super) fn file_of(&self, response: &ModelResponse) -> Option<(FileOutput<O>, BinaryContent)> {
        let output = self.agent.output.file.as_ref()?;
        let file = response.files().find(|file| output.takes(file))?;
        Some((output.clone(), file.clone()))
    }

    /// What a file comes to that can be the output.
    pub(super) async fn file(&mut self, output: FileOutput<O>, file: BinaryContent) -> Result<Next<O>> {
        let made = self.make_of_file(output, file).await?;
        self.next(made)
    }

    /// Makes an output of a file.
    pub(super) async fn make_of_file(
        &mut self,
        output: FileOutput<O>,
        file: BinaryContent,
    ) -> Result<std::result::Result<O, Refused>> {
        self.make_direct("the agent's file output", || Ok(output.read(file))).await
    }

    /// What an output that is no call's comes to: what is wrong with it is told to the model, as long as the budget lasts.
    pub(super) fn next(&mut self, made: std::result::Result<O, Refused>) -> Result<Next<O>> {
        let refused = match made {
            Ok(output) => return Ok(Next::Done(output)),
            Err(refused) => refused,
        };
        let max_retries = self.retries.output_budget();
        let attempt = self.ledger.output_failed(max_retries, refused.source)?;
        let retry = RetryInfo::new(refused.cause, attempt, max_retries);
        let feedback = RetryFeedbackPart::new(refused.content, retry);
        Ok(Next::Request(ModelRequest::new(vec![RequestPart::RetryFeedback(feedback)])))
    }

    async fn make_direct(
        &mut self,
        whose: &str,
        read: impl FnOnce() -> ReadOutput<D, O>,
    ) -> Result<std::result::Result<O, Refused>> {
        let call = ToolCallPart::new(OUTPUT_FUNCTION, Arguments::absent());
        let mut span = self.trace.output(&call);
        let made = self.make_output(|| whose.to_owned(), read, Self::output_contexts, &mut span).await;
        end_span(span, &made);
        made
    }
}
