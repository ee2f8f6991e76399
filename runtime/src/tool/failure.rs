//! How a tool says that it has no result: errors that the run recognises by their type.

use std::error::Error as StdError;
use std::fmt;

use serde_json::Value;

use crate::error::BoxError;
use crate::message::Metadata;

/// Asks the model to try the call again, with this message. Counts towards the tool's retries.
///
/// Return it as the error of a tool, of an argument validator, of an [output function](crate::OutputTool::function) or of an
/// [output validator](crate::AgentBuilder::output_validator) (specification: "Requesting a Tool Retry"). From a `prepare`
/// function or an agent-wide hook it is an error like any other: it ends the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelRetry(Signal);

/// Reports the call to the model as failed, with this message. Costs no retry.
///
/// Return it as the error of a tool or an argument validator (specification: "Reporting a Failed Tool Result"). From
/// anything else it ends the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolFailed(Signal);

/// Puts the call before a person; the tool runs once it is approved.
///
/// Return it as the error of a tool or an argument validator, unless
/// [`RunContext::tool_call_approved`](crate::RunContext::tool_call_approved) says that the call is approved already
/// (specification: behaviours 11). From anything else it ends the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalRequired(Signal);

/// Leaves the call to somebody else, who gives its result later.
///
/// Return it as the error of a tool or an argument validator (specification: behaviours 11). From anything else it ends
/// the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallDeferred(Signal);

/// What an error asks of the run.
///
/// It is the `source` of the four errors above, so that it is found however they are wrapped: wrappers such as
/// `anyhow::Error` hide an error's own type once boxed, but never its sources.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
#[non_exhaustive]
pub enum Signal {
    /// From [`ModelRetry`].
    Retry(String),
    /// From [`ToolFailed`].
    Failed(String),
    /// From [`ApprovalRequired`].
    Approval(Option<Metadata>),
    /// From [`CallDeferred`].
    Deferred(Option<Metadata>),
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Retry(_) => "the model is asked to try again",
            Self::Failed(_) => "the call is reported as failed",
            Self::Approval(_) => "the call waits for approval",
            Self::Deferred(_) => "the call waits for its result",
        })
    }
}

impl StdError for Signal {}

impl ModelRetry {
    /// Tells the model what to do differently.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Signal::Retry(message.into()))
    }
}

impl ToolFailed {
    /// Tells the model why there is no result.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Signal::Failed(message.into()))
    }
}

impl ApprovalRequired {
    /// Asks for approval.
    #[must_use]
    pub const fn new() -> Self {
        Self(Signal::Approval(None))
    }

    /// Asks for approval, with data for whoever decides. A value that is no object is put under the key `value`.
    pub fn with_metadata(metadata: impl Into<Value>) -> Self {
        Self(Signal::Approval(Some(object(metadata.into()))))
    }
}

impl Default for ApprovalRequired {
    fn default() -> Self {
        Self::new()
    }
}

impl CallDeferred {
    /// Leaves the call to somebody else.
    #[must_use]
    pub const fn new() -> Self {
        Self(Signal::Deferred(None))
    }

    /// Leaves the call to somebody else, with data for them. A value that is no object is put under the key `value`.
    pub fn with_metadata(metadata: impl Into<Value>) -> Self {
        Self(Signal::Deferred(Some(object(metadata.into()))))
    }
}

impl Default for CallDeferred {
    fn default() -> Self {
        Self::new()
    }
}

fn object(value: Value) -> Metadata {
    match value {
        Value::Object(map) => map,
        other => Metadata::from_iter([("value".to_owned(), other)]),
    }
}

macro_rules! signalling_error {
    ($($name:ident)*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match &self.0 {
                    Signal::Retry(message) | Signal::Failed(message) => f.write_str(message),
                    signal => signal.fmt(f),
                }
            }
        }

        impl StdError for $name {
            fn source(&self) -> Option<&(dyn StdError + 'static)> {
                Some(&self.0)
            }
        }
    )*};
}
signalling_error!(ModelRetry ToolFailed ApprovalRequired CallDeferred);

/// Why a call has no result.
#[derive(Debug)]
pub(crate) enum CallFailure {
    Signal(Signal),
    /// The tool's own error: it ends the run.
    Other(BoxError),
}

impl From<BoxError> for CallFailure {
    fn from(error: BoxError) -> Self {
        match Signal::of(&*error) {
            Some(signal) => Self::Signal(signal.clone()),
            None => Self::Other(error),
        }
    }
}

impl Signal {
    /// The signal that an error is, or wraps. One inside the error of another run was that run's.
    pub(crate) fn of<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Self> {
        std::iter::successors(Some(error), |&error| error.source())
            .take_while(|error| !error.is::<crate::Error>())
            .find_map(|error| error.downcast_ref())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "a variant other than the one wanted fails a test")]

    use super::*;

    #[derive(Debug)]
    struct Wrapped(ModelRetry);

    impl fmt::Display for Wrapped {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("wrapped")
        }
    }

    impl StdError for Wrapped {
        fn source(&self) -> Option<&(dyn StdError + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn a_signal_is_found_however_it_is_wrapped() {
        for error in [BoxError::from(ModelRetry::new("again")), Wrapped(ModelRetry::new("again")).into()] {
            let CallFailure::Signal(signal) = CallFailure::from(error) else { unreachable!("not recognised") };
            assert_eq!(signal, Signal::Retry("again".to_owned()));
        }
    }

    #[test]
    fn any_other_error_stays_itself() {
        let CallFailure::Other(error) = CallFailure::from(BoxError::from("disk on fire")) else {
            unreachable!("a signal")
        };
        assert_eq!(error.to_string(), "disk on fire");
    }
}
