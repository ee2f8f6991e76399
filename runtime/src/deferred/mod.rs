//! Calls that wait for somebody outside the run: for approval, or for a result.

mod handler;
mod requests;
mod results;
mod stored;

pub(crate) use handler::{BoxedDeferredHandler, boxed_deferred_handler};
pub use handler::{DeferredAnswers, DeferredHandler};
pub use requests::DeferredToolRequests;
pub(crate) use requests::fingerprint;
pub use results::{Approval, DeferredResult, DeferredToolResults};

/// The output of a run that may have to wait: what it came to, or the calls it waits for.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "a run is done, or it waits")]
pub enum MaybeDeferred<O> {
    /// The run is done.
    Done(O),
    /// The run waits.
    Deferred(DeferredToolRequests),
}

impl<O> MaybeDeferred<O> {
    /// The output, if the run is done.
    pub fn done(self) -> Option<O> {
        match self {
            Self::Done(output) => Some(output),
            Self::Deferred(_) => None,
        }
    }

    /// The calls, if the run waits.
    pub fn deferred(self) -> Option<DeferredToolRequests> {
        match self {
            Self::Done(_) => None,
            Self::Deferred(requests) => Some(requests),
        }
    }
}
