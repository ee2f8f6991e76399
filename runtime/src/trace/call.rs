//! The span of a call of a tool.

use tracing::field::Empty;
use tracing::info_span;

use super::content::{arguments, json, result};
use super::field;
use super::open::Open;
use super::retry::RetryFields;
use super::run::{About, Trace, within};
use crate::error::Error;
use crate::message::{Arguments, Metadata, Outcome, ToolCallPart, ToolReturnPart};

/// The `error.type` of a call that took too long.
const TIMEOUT: &str = "timeout";

impl Trace {
    /// Opens the span of a call that is about to run.
    pub(crate) fn call(&self, call: &ToolCallPart, args: &Arguments) -> CallSpan {
        CallSpan { open: self.0.as_ref().map(|about| execute_tool(about, call, args)), late: false }
    }

    /// Opens the span of a call that never runs, since its arguments did not pass.
    pub(crate) fn invalid_call(&self, call: &ToolCallPart, args: &Arguments) -> CallSpan {
        let span = self.call(call, args);
        if let Some(open) = &span.open {
            open.span().record(field::FAILURE_STAGE, "validation");
        }
        span
    }
}

/// Opens a span of the operation `execute_tool`.
pub(super) fn execute_tool(about: &About, call: &ToolCallPart, args: &Arguments) -> Open {
    let span = info_span!(
        target: field::TARGET,
        "execute_tool",
        { field::OTEL_NAME } = format!("execute_tool {}", call.tool_name),
        { field::OTEL_KIND } = "internal",
        { field::OTEL_STATUS_CODE } = Empty,
        { field::OTEL_STATUS_DESCRIPTION } = Empty,
        { field::ERROR_TYPE } = Empty,
        { field::OPERATION_NAME } = "execute_tool",
        { field::AGENT_NAME } = about.agent,
        { field::AGENT_CALL_ID } = about.run_id,
        { field::CONVERSATION_ID } = about.conversation,
        { field::TOOL_NAME } = call.tool_name,
        { field::TOOL_TYPE } = "function",
        { field::TOOL_CALL_ID } = call.tool_call_id,
        { field::TOOL_CALL_ARGUMENTS } = Empty,
        { field::TOOL_CALL_RESULT } = Empty,
        { field::FAILURE_STAGE } = Empty,
        { field::TOOL_RETRY_CAUSE } = Empty,
        { field::TOOL_RETRY_ATTEMPT } = Empty,
        { field::TOOL_RETRY_MAX } = Empty,
        { field::OUTPUT_RETRY_CAUSE } = Empty,
        { field::OUTPUT_RETRY_ATTEMPT } = Empty,
        { field::OUTPUT_RETRY_MAX } = Empty,
        { field::DEFERRAL_NAME } = Empty,
        { field::DEFERRAL_METADATA } = Empty,
    );
    let open = Open::new(span, about.content);
    if open.shows_content() {
        open.span().record(field::TOOL_CALL_ARGUMENTS, &*arguments(args));
    }
    open
}

/// The span of a call.
pub(crate) struct CallSpan {
    open: Option<Open>,
    /// Whether the call ran out of time.
    late: bool,
}

impl CallSpan {
    /// No span, for a call that does not run.
    pub(crate) const fn none() -> Self {
        Self { open: None, late: false }
    }

    /// Does `work` inside the span.
    pub(crate) fn around<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        within(self.open.as_ref(), work)
    }

    /// The call ran out of time, whatever becomes of it.
    pub(crate) fn timed_out(&mut self) {
        self.late = true;
    }

    /// The call has its answer.
    pub(crate) fn answered(self, part: &ToolReturnPart) {
        let Some(open) = self.open else { return };
        let shown = open.shows_content().then(|| result(&part.content));
        open.span().record(field::TOOL_CALL_RESULT, shown.as_deref());
        let error_type = match part.outcome {
            Outcome::Success => return open.succeed(),
            Outcome::Retried => {
                let cause = part.retry.as_ref().map(|retry| RetryFields::TOOL.record(&open, retry));
                if self.late { TIMEOUT } else { cause.unwrap_or("retried") }
            }
            _ => "tool_failed",
        };
        open.fail(error_type, || shown.unwrap_or_default());
    }

    /// The call waits for somebody outside, which is no error.
    pub(crate) fn deferred(self, for_approval: bool, metadata: Option<&Metadata>) {
        let Some(open) = self.open else { return };
        let name = if for_approval { "ApprovalRequired" } else { "CallDeferred" };
        open.span().record(field::DEFERRAL_NAME, name);
        if open.shows_content() {
            open.span().record(field::DEFERRAL_METADATA, metadata.map(json));
        }
        open.succeed();
    }

    /// The run ends with the call.
    pub(crate) fn failed(self, error: &Error) {
        let Some(open) = self.open else { return };
        match RetryFields::TOOL.record_exhausted(&open, error) {
            Some(cause) => open.fail_as(if self.late { TIMEOUT } else { cause }, error),
            None => open.fail_with(error),
        }
    }
}
