//! What ends a run before its time.

use std::time::Duration;

use futures_util::future::select_all;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::error::Error;
use crate::panics::catch_future;

/// When a run is to end at the latest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    /// How long its run could take in all.
    given: Duration,
    /// Whether it is that of a caller of the run.
    of_caller: bool,
}

impl Deadline {
    /// `given` from now; none where that is beyond all time.
    pub(crate) fn after(given: Duration) -> Option<Self> {
        Some(Self { at: Instant::now().checked_add(given)?, given, of_caller: false })
    }

    /// The same for a run within.
    pub(crate) fn for_run_within(self) -> Self {
        Self { of_caller: true, ..self }
    }

    /// The one that passes first.
    pub(crate) fn earlier(self, other: Option<Self>) -> Self {
        other.filter(|other| other.at < self.at).unwrap_or(self)
    }

    pub(crate) fn has_passed(&self) -> bool {
        self.at <= Instant::now()
    }

    /// Waits until it has passed, and says so.
    pub(crate) async fn passed(self) -> Error {
        if let Err(panic) = catch_future(async { tokio::time::sleep_until(self.at).await }).await {
            return Error::misuse("a run with a deadline needs a tokio runtime with its timers enabled")
                .with_source(panic);
        }
        self.error()
    }

    /// What a run that it ends comes to.
    pub(crate) fn error(&self) -> Error {
        let whose = if self.of_caller { "its caller's" } else { "its" };
        let seconds = self.given.as_secs_f64();
        Error::cancelled(format!("the run was cancelled: {whose} deadline of {seconds} seconds has passed"))
    }
}

/// Whether a run is to end: it says so itself, or somebody outside does.
#[derive(Default)]
pub(crate) struct Cancellation {
    own: CancellationToken,
    outer: Vec<CancellationToken>,
}

impl Cancellation {
    pub(crate) fn new(outer: Vec<CancellationToken>) -> Self {
        Self { own: CancellationToken::new(), outer }
    }

    /// Cancels what is left of the run once the guard is gone, however the run ended.
    pub(crate) fn on_drop(&self) -> DropGuard {
        self.own.clone().drop_guard()
    }

    /// What says so, for a run within.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = CancellationToken> {
        self.outer.iter().chain([&self.own]).cloned()
    }

    pub(crate) fn cancel(&self) {
        self.own.cancel();
    }

    /// A token that is cancelled when the run is over, however it ends.
    #[cfg(feature = "mcp")]
    pub(crate) fn end(&self) -> CancellationToken {
        self.own.child_token()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.own.is_cancelled() || self.outer.iter().any(CancellationToken::is_cancelled)
    }

    /// Waits until one says so.
    pub(crate) async fn cancelled(&self) {
        if self.outer.is_empty() {
            return self.own.cancelled().await;
        }
        let tokens = self.outer.iter().chain([&self.own]);
        select_all(tokens.map(|token| Box::pin(token.cancelled()))).await;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn any_token_cancels() {
        let outer = [CancellationToken::new(), CancellationToken::new()];
        let cancellation = Cancellation::new(outer.to_vec());
        assert!(!cancellation.is_cancelled());
        assert!(cancellation.cancelled().now_or_never().is_none());
        outer[1].cancel();
        assert!(cancellation.is_cancelled());
        assert!(cancellation.cancelled().now_or_never().is_some());
    }

    #[test]
    fn it_is_cancelled_once_the_guard_is_gone() {
        let cancellation = Cancellation::default();
        drop(cancellation.on_drop());
        assert!(cancellation.is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn the_deadline_that_passes_first_counts_and_says_whose_it_is() {
        let [short, long] = [1, 60].map(|seconds| Deadline::after(Duration::from_secs(seconds)).expect("soon"));
        for (own, callers, whose) in [(short, long, "its"), (long, short, "its caller's")] {
            let deadline = own.earlier(Some(callers.for_run_within()));
            let expected = format!("the run was cancelled: {whose} deadline of 1 seconds has passed");
            assert_eq!(deadline.error().to_string(), expected);
        }
        assert!(!short.has_passed());
        assert!(short.earlier(None).passed().await.is_cancelled());
        assert!(short.has_passed() && !long.has_passed());
        assert!(Deadline::after(Duration::MAX).is_none());
    }
}
