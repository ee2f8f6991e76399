//! A span that is open until it is told how its work ended.

use std::borrow::Cow;
use std::error::Error as StdError;

use tracing::{Level, Span};

use super::field;
use super::tokens::Tokens;
use crate::error::{Error, ErrorKind};

/// The `error.type` of work that was given up before it ended.
const CANCELLED: &str = "cancelled";

/// A span that is open until it is told how its work ended. One that never is was given up, which is an error too.
pub(super) struct Open {
    span: Span,
    shows_content: bool,
    ended: bool,
}

impl Open {
    pub(super) fn new(span: Span, shows_content: bool) -> Self {
        // A filter may want no spans of this name.
        let shows_content = shows_content && !span.is_disabled();
        Self { span, shows_content, ended: false }
    }

    pub(super) fn span(&self) -> &Span {
        &self.span
    }

    /// Whether the span is to hold what the conversation holds, and somebody takes it.
    pub(super) fn shows_content(&self) -> bool {
        self.shows_content
    }

    /// Says how many tokens the work took; caches are named where they were used.
    pub(super) fn count(&self, tokens: Tokens) {
        self.span.record(field::USAGE_INPUT_TOKENS, integer(tokens.input));
        self.span.record(field::USAGE_OUTPUT_TOKENS, integer(tokens.output));
        if tokens.cache_read > 0 {
            self.span.record(field::USAGE_CACHE_READ, integer(tokens.cache_read));
        }
        if tokens.cache_write > 0 {
            self.span.record(field::USAGE_CACHE_CREATION, integer(tokens.cache_write));
        }
    }

    /// The work ended as it should.
    pub(super) fn succeed(mut self) {
        self.ended = true;
    }

    /// The work ended in an error of this type. What it says may quote the conversation.
    pub(super) fn fail(mut self, error_type: &str, message: impl FnOnce() -> String) {
        self.mark(error_type);
        if self.shows_content {
            let message = message();
            self.span.record(field::OTEL_STATUS_DESCRIPTION, message.as_str());
            self.tell(error_type, Some(&message));
        } else {
            self.tell(error_type, None);
        }
    }

    /// The work ended in this error.
    pub(super) fn fail_with(self, error: &Error) {
        self.fail_as(&error_type(error), error);
    }

    /// The work ended in this error, for a reason that says more than its kind.
    pub(super) fn fail_as(self, error_type: &str, error: &Error) {
        self.fail(error_type, || with_sources(error));
    }

    fn mark(&mut self, error_type: &str) {
        self.ended = true;
        self.span.record(field::OTEL_STATUS_CODE, "ERROR");
        self.span.record(field::ERROR_TYPE, error_type);
    }

    /// The event that stands for an exception.
    fn tell(&self, error_type: &str, message: Option<&str>) {
        tracing::event!(
            target: field::TARGET,
            parent: &self.span,
            Level::WARN,
            { field::EXCEPTION_TYPE } = error_type,
            { field::EXCEPTION_MESSAGE } = message,
            "exception"
        );
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.ended {
            self.mark(CANCELLED);
        }
    }
}

/// A number as collectors keep numbers.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The class of an error: the provider's status, or whose fault it is.
fn error_type(error: &Error) -> Cow<'static, str> {
    if let Some(status) = error.status() {
        return Cow::Owned(status.to_string());
    }
    Cow::Borrowed(match error.kind() {
        ErrorKind::Misuse => "misuse",
        ErrorKind::ModelBehavior => "model_behavior",
        ErrorKind::UsageLimit => "usage_limit",
        ErrorKind::Cancelled => CANCELLED,
        ErrorKind::Tool => "tool",
        ErrorKind::Provider => "provider",
    })
}

/// An error in words, with what lies beneath.
fn with_sources(error: &Error) -> String {
    let mut words = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        words.push_str(": ");
        words.push_str(&source.to_string());
        next = source.source();
    }
    words
}
