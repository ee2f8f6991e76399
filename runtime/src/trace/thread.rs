//! The span that is open here, on a thread of its own.

use tracing::dispatcher::{get_default, with_default};
use tracing::{Dispatch, Span};

/// Does `job` inside the span that is open now, on whatever thread it is done.
pub(crate) fn on_thread<T>(job: impl FnOnce() -> T + Send) -> impl FnOnce() -> T + Send {
    let span = Span::current();
    // Whoever collects spans may do so for this thread alone.
    let collector: Option<Dispatch> = (!span.is_none()).then(|| get_default(Clone::clone));
    move || match collector {
        Some(collector) => with_default(&collector, || span.in_scope(job)),
        None => job(),
    }
}
