//! The span of an output's function.

use std::sync::Arc;

use super::call::execute_tool;
use super::content::result;
use super::field;
use super::open::Open;
use super::retry::RetryFields;
use super::run::{About, Trace, within};
use crate::error::Error;
use crate::message::{ToolCallPart, ToolReturnPart};

/// The span of an output's function. It opens once the function is called: reading arguments needs no span.
pub(crate) struct OutputSpan<'a> {
    about: Option<Arc<About>>,
    call: &'a ToolCallPart,
    open: Option<Open>,
}

impl Trace {
    /// The span of the function that makes an output of the call's arguments.
    pub(crate) fn output<'a>(&self, call: &'a ToolCallPart) -> OutputSpan<'a> {
        OutputSpan { about: self.0.clone(), call, open: None }
    }
}

impl OutputSpan<'_> {
    /// Does the work of the output's functions inside the span.
    pub(crate) fn around<F: Future>(&mut self, work: F) -> impl Future<Output = F::Output> + use<F> {
        if let Some(about) = &self.about {
            self.open.get_or_insert_with(|| execute_tool(about, self.call, &self.call.args));
        }
        within(self.open.as_ref(), work)
    }

    /// There is an output.
    pub(crate) fn succeeded(self) {
        if let Some(open) = self.open {
            open.succeed();
        }
    }

    /// The model is asked again.
    pub(crate) fn retried(self, part: &ToolReturnPart) {
        let (Some(open), Some(retry)) = (self.open, &part.retry) else { return };
        let shown = open.shows_content().then(|| result(&part.content));
        open.span().record(field::TOOL_CALL_RESULT, shown.as_deref());
        let cause = RetryFields::OUTPUT.record(&open, retry);
        open.fail(cause, || shown.unwrap_or_default());
    }

    /// The run ends, or another call has to give the output.
    pub(crate) fn failed(self, error: &Error) {
        let Some(open) = self.open else { return };
        match RetryFields::OUTPUT.record_exhausted(&open, error) {
            Some(cause) => open.fail_as(cause, error),
            None => open.fail_with(error),
        }
    }
}
