//! Why a model is asked again, and how often it was, as fields of a span.

use super::field;
use super::open::Open;
use crate::args::ArgsError;
use crate::error::{Error, ErrorKind};
use crate::message::{RetryCause, RetryInfo};

/// The fields that tell of a retry.
pub(super) struct RetryFields {
    cause: &'static str,
    attempt: &'static str,
    max_retries: &'static str,
}

impl RetryFields {
    /// Of function tools.
    pub(super) const TOOL: Self =
        Self { cause: field::TOOL_RETRY_CAUSE, attempt: field::TOOL_RETRY_ATTEMPT, max_retries: field::TOOL_RETRY_MAX };
    /// Of output tools.
    pub(super) const OUTPUT: Self = Self {
        cause: field::OUTPUT_RETRY_CAUSE,
        attempt: field::OUTPUT_RETRY_ATTEMPT,
        max_retries: field::OUTPUT_RETRY_MAX,
    };

    /// Tells of a retry; the name of its cause.
    pub(super) fn record(&self, open: &Open, retry: &RetryInfo) -> &'static str {
        open.span().record(self.attempt, retry.attempt);
        open.span().record(self.max_retries, retry.max_retries);
        self.record_cause(open, retry.cause)
    }

    /// Tells of a retry that there was no budget for, if that is what ends the run; the name of its cause.
    pub(super) fn record_exhausted(&self, open: &Open, error: &Error) -> Option<&'static str> {
        if error.kind() != ErrorKind::ModelBehavior {
            return None;
        }
        let cause = if is_of_arguments(error) { RetryCause::ValidationError } else { RetryCause::ModelRetry };
        Some(self.record_cause(open, cause))
    }

    fn record_cause(&self, open: &Open, cause: RetryCause) -> &'static str {
        let cause = name(cause);
        open.span().record(self.cause, cause);
        cause
    }
}

/// Whether arguments that do not fit lie beneath the error.
fn is_of_arguments(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<ArgsError>())
}

fn name(cause: RetryCause) -> &'static str {
    match cause {
        RetryCause::ValidationError => "validation_error",
        RetryCause::ModelRetry => "model_retry",
        RetryCause::UnknownTool => "unknown_tool",
        RetryCause::UnavailableTool => "unavailable_tool",
        RetryCause::NoOutput => "no_output",
    }
}
