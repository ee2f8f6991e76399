//! The one error of the library.

use std::error::Error as StdError;
use std::fmt;

use crate::message::{FailedAttempt, History};

/// Any error, behind a pointer.
pub type BoxError = Box<dyn StdError + Send + Sync>;

/// A result whose error is the library's.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong in building an agent or in a run.
///
/// One pointer wide. [`kind`](Error::kind) says whose fault it is; `Display` says it in words, with the tool, the limit
/// or the field and the way out; what lies beneath is at [`source`](StdError::source). The wording is no contract.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: String,
    source: Option<BoxError>,
    history: Option<History>,
    status: Option<u16>,
    code: Option<String>,
    request_id: Option<String>,
    retryable: bool,
    /// All that the provider said when it refused; nobody else is shown it, as it may repeat the key.
    #[cfg(feature = "chat")]
    refusal: Option<Vec<u8>>,
    attempts: Vec<FailedAttempt>,
}

/// Whose fault an [`Error`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The caller's: a wrong configuration or argument.
    Misuse,
    /// The model's: it kept doing what it must not, and its retries are used up.
    ModelBehavior,
    /// A [usage limit](crate::UsageLimits) would be passed.
    UsageLimit,
    /// The run was cancelled.
    Cancelled,
    /// A tool's or a hook's own; its error is the [`source`](StdError::source).
    Tool,
    /// The provider's: it could not be reached, refused the request, or answered with something unusable.
    Provider,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            source: None,
            history: None,
            status: None,
            code: None,
            request_id: None,
            retryable: false,
            #[cfg(feature = "chat")]
            refusal: None,
            attempts: Vec::new(),
        }))
    }

    /// The caller's mistake. For toolsets and models of your own; say what to do about it.
    pub fn misuse(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Misuse, message)
    }

    /// The model did what it must not. For models of your own.
    pub fn model_behavior(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::ModelBehavior, message)
    }

    /// A provider could not be used. For models of your own.
    pub fn provider(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Provider, message)
    }

    pub(crate) fn usage_limit(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::UsageLimit, message).with_source(Mark(ErrorKind::UsageLimit))
    }

    pub(crate) fn cancelled(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Cancelled, message).with_source(Mark(ErrorKind::Cancelled))
    }

    /// A tool's or hook's own error; `message` says whose.
    pub(crate) fn tool(message: impl Into<String>, source: impl Into<BoxError>) -> Self {
        Self::new(ErrorKind::Tool, message).with_source(source)
    }

    /// The error of a function of the application that asks for nothing; `message` says whose. A mistake of the caller's stays
    /// theirs, and a limit one, wherever they are found.
    pub(crate) fn of_function(message: impl Into<String>, source: BoxError) -> Self {
        let message = message.into();
        match kind_of_run_error(&*source) {
            Some(kind @ (ErrorKind::Misuse | ErrorKind::UsageLimit)) => {
                Self::new(kind, format!("{message}: {source}")).with_source(source)
            }
            _ => Self::tool(message, source),
        }
    }

    /// Sets what lies beneath.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Sets the HTTP status the provider answered with, and from it whether trying again can help.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.0.status = Some(status);
        self.0.retryable = matches!(status, 408 | 409 | 425 | 429 | 500..=599);
        self
    }

    /// Says that trying again may help.
    pub(crate) fn retryable(mut self) -> Self {
        self.0.retryable = true;
        self
    }

    /// Sets what lies beneath, and takes from it what else is known of the provider's answer.
    pub(crate) fn caused_by(mut self, error: Self) -> Self {
        self.0.status = error.0.status;
        self.0.code.clone_from(&error.0.code);
        self.0.retryable = error.0.retryable;
        self.with_source(error)
    }

    /// Adds attempts of models that were asked before.
    pub(crate) fn with_attempts(mut self, mut earlier: Vec<FailedAttempt>) -> Self {
        earlier.append(&mut self.0.attempts);
        self.0.attempts = earlier;
        self
    }

    pub(crate) fn take_attempts(&mut self) -> Vec<FailedAttempt> {
        std::mem::take(&mut self.0.attempts)
    }

    #[cfg(feature = "http")]
    pub(crate) fn with_code(mut self, code: Option<String>) -> Self {
        self.0.code = code;
        self
    }

    #[cfg(feature = "http")]
    pub(crate) fn with_retryable(mut self, retryable: bool) -> Self {
        self.0.retryable = retryable;
        self
    }

    #[cfg(feature = "http")]
    pub(crate) fn with_request_id(mut self, id: Option<String>) -> Self {
        self.0.request_id = id;
        self
    }

    #[cfg(feature = "chat")]
    pub(crate) fn with_refusal(mut self, body: Vec<u8>) -> Self {
        self.0.refusal = Some(body);
        self
    }

    /// The body of the provider's refusal.
    #[cfg(feature = "chat")]
    pub(crate) fn refusal(&self) -> Option<&[u8]> {
        self.0.refusal.as_deref()
    }

    /// Keeps the first history: the innermost run knows best.
    pub(crate) fn with_history(mut self, history: History) -> Self {
        self.0.history.get_or_insert(history);
        self
    }

    /// Whose fault it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Whether the run was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.kind() == ErrorKind::Cancelled
    }

    /// The HTTP status of the provider's answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The provider's own word for what is wrong, such as `model_not_found`, where its answer has one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// The provider's own id of the failed request, to quote to its support.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// Whether the same request may succeed later: overload, rate limits, a broken connection.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// The attempts of a [`FallbackModel`](crate::model::FallbackModel)'s models before the error, in order.
    #[must_use]
    pub fn failed_attempts(&self) -> &[FailedAttempt] {
        &self.0.attempts
    }

    /// The history of the run up to the error, with which a later run can go on.
    #[must_use]
    pub fn history(&self) -> Option<&History> {
        self.0.history.as_ref()
    }
}

/// The source of errors that the caller of a run treats in a way of their own: wrappers such as `anyhow::Error` hide an
/// error's own type once boxed, but never its sources.
#[derive(Debug)]
struct Mark(ErrorKind);

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            ErrorKind::Cancelled => "it was asked to end",
            _ => "it was not to cost more",
        })
    }
}

impl StdError for Mark {}

/// The kind of the run's error that `error` is, or that it wraps.
pub(crate) fn kind_of_run_error(error: &(dyn StdError + 'static)) -> Option<ErrorKind> {
    std::iter::successors(Some(error), |&error| error.source()).find_map(|error| {
        let kind = error.downcast_ref::<Error>().map(Error::kind);
        kind.or_else(|| error.downcast_ref::<Mark>().map(|mark| mark.0))
    })
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(id) = &self.0.request_id {
            write!(f, " (request {id})")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Error");
        debug.field("kind", &self.0.kind).field("message", &self.0.message);
        if let Some(status) = self.0.status {
            debug.field("status", &status);
        }
        if let Some(code) = &self.0.code {
            debug.field("code", code);
        }
        if let Some(source) = &self.0.source {
            debug.field("source", source);
        }
        debug.finish_non_exhaustive()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
