//! What ends a run before its time.

use futures_util::future::select_all;
use tokio_util::sync::{CancellationToken, DropGuard};

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

    pub(crate) fn cancel(&self) {
        self.own.cancel();
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
}
