//! From what the model gave to an output that stands: the functions that make it, and the agent's output validators.

use std::sync::Arc;

use super::state::RunState;
use crate::args::ArgsError;
use crate::context::{CallShared, RunContext};
use crate::error::{BoxError, Error, Result};
use crate::json::Json;
use crate::message::{RetryCause, ToolCallPart};
use crate::output::Made;
use crate::panics::{catch, catch_later};
use crate::tool::Signal;
use crate::trace::OutputSpan;

/// What is read as an output, or why it cannot be.
pub(super) type ReadOutput<D, O> = std::result::Result<Made<O, RunContext<D>>, ArgsError>;

/// Why the model is to try again.
pub(super) struct Refused {
    pub(super) cause: RetryCause,
    pub(super) content: Json,
    pub(super) source: BoxError,
}

/// What an output's functions and the validators after them are given.
pub(super) struct OutputContexts<D> {
    function: RunContext<D>,
    validators: RunContext<D>,
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// The contexts of an output that is no call's.
    pub(super) fn output_contexts(&self) -> OutputContexts<D> {
        let ctx = self.context(self.retries.output_budget());
        OutputContexts { function: ctx.clone(), validators: ctx }
    }

    /// The contexts of a call's output: its function is told of the tool's budget, validators of the output's.
    pub(super) fn output_call_contexts(&self, call: &ToolCallPart, max_retries: u32) -> OutputContexts<D> {
        let of_call = CallShared {
            tool_name: Some(Arc::from(call.tool_name.as_str())),
            tool_call_id: Some(Arc::from(call.tool_call_id.as_str())),
            retry: self.ledger.count(&call.tool_name),
            max_retries,
            ..CallShared::default()
        };
        let for_all = CallShared {
            retry: self.ledger.output_used(),
            max_retries: self.retries.output_budget(),
            ..of_call.clone()
        };
        let ctx = RunContext::new(self.run.clone(), self.step.clone());
        OutputContexts { function: ctx.for_call(of_call), validators: ctx.for_call(for_all) }
    }

    /// Makes an output of what `read` reads, inside the span where functions make it, and has the validators look at it.
    /// `whose` is what errors call it.
    ///
    /// # Errors
    ///
    /// Those of functions and validators that ask for nothing; they end the run.
    pub(super) async fn make_output(
        &mut self,
        whose: impl Fn() -> String,
        read: impl FnOnce() -> ReadOutput<D, O>,
        contexts: impl FnOnce(&Self) -> OutputContexts<D>,
        span: &mut OutputSpan<'_>,
    ) -> Result<std::result::Result<O, Refused>> {
        let failed = |error| Error::of_function(format!("{} failed", whose()), error);
        let made = match catch(read).map_err(failed)? {
            Ok(Made::Output(output)) if self.agent.output_validators.is_empty() => return Ok(Ok(output)),
            Ok(made) => made,
            Err(error) => return Ok(Err(Refused::unread(error))),
        };
        let OutputContexts { function, validators } = contexts(self);
        let output = match made {
            Made::Output(output) => Ok(output),
            Made::By(make) => {
                let made = span.around(async { catch_later(catch(|| make(&function))).await });
                self.stop().unless_stopped(made).await?
            }
        };
        match output {
            Ok(output) => self.validated(output, &validators).await,
            Err(error) => refused(error, failed).map(Err),
        }
    }

    /// Has each validator look at what the one before gave back.
    async fn validated(&mut self, mut output: O, ctx: &RunContext<D>) -> Result<std::result::Result<O, Refused>> {
        let agent = self.agent.clone();
        let validators = &agent.output_validators;
        for (place, validator) in validators.iter().enumerate() {
            let validated = catch_later(catch(|| validator(ctx, output)));
            output = match self.stop().unless_stopped(validated).await? {
                Ok(output) => output,
                Err(error) => {
                    let failed = |error| {
                        let which = if validators.len() > 1 { format!(" number {}", place + 1) } else { String::new() };
                        Error::of_function(format!("the output validator{which} failed"), error)
                    };
                    return refused(error, failed).map(Err);
                }
            };
        }
        Ok(Ok(output))
    }
}

impl Refused {
    fn unread(error: ArgsError) -> Self {
        Self { cause: RetryCause::ValidationError, content: error.to_json(), source: error.into() }
    }

    /// Whether what the model gave could be read.
    pub(super) fn was_read(&self) -> bool {
        self.cause != RetryCause::ValidationError
    }
}

/// What a function's or a validator's error asks the model; one that asks for nothing ends the run.
fn refused(error: BoxError, failed: impl FnOnce(BoxError) -> Error) -> Result<Refused> {
    match Signal::of(&*error) {
        Some(Signal::Retry(message)) => {
            let content = Json::from(message.as_str());
            Ok(Refused { cause: RetryCause::ModelRetry, content, source: message.clone().into() })
        }
        _ => Err(failed(error)),
    }
}
