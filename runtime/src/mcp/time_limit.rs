//! How long something may take.

use std::time::Duration;

use tokio::time::{Instant, timeout};

/// How long something may take, and since when it takes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLimit {
    limit: Duration,
    begun: Instant,
}

impl TimeLimit {
    /// Of something that begins now.
    pub(super) fn from_now(limit: Duration) -> Self {
        Self { limit, begun: Instant::now() }
    }

    /// What a part of it comes to.
    ///
    /// # Errors
    ///
    /// In words, that it has taken too long.
    pub(super) async fn hold<T>(self, part: impl Future<Output = T>) -> Result<T, String> {
        let left = self.limit.saturating_sub(self.begun.elapsed());
        let late = |_| format!("it has not answered within {} seconds", self.limit.as_secs_f64());
        timeout(left, part).await.map_err(late)
    }
}
