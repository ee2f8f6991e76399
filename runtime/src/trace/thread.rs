//! The span that is open here, on a thread of its own.

use tracing::dispatcher::{get_default, with_default};
use tracing::{Dispatch, Span};

/// Does `job` inside the span that is open now, on whatever thread it is done.
pub(crate) fn on_thread<T: 'static>(job: Box<dyn FnOnce() -> T + Send>) -> Box<dyn FnOnce() -> T + Send> {
    let span = Span::current();
    if span.is_none() {
        return job;
    }
    // Whoever collects spans may do so for this thread alone.
    let collector: Dispatch = get_default(Clone::clone);
    Box::new(move || with_default(&collector, || span.in_scope(job)))
}
