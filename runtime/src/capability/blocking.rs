//! A bound on the threads of plain `fn` tools.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Capability, Hooks, Internals};

/// Bounds how many plain `fn` tools run at once, each on a thread of its own. Without one, tokio's own bound holds, which is
/// hundreds of threads for the whole process (specification: "Thread executor for long-running servers").
///
/// A cheap handle: agents that are given clones share the bound. A call that waits for its turn can be cancelled, and its
/// timeout counts meanwhile; a thread that a call has left behind counts until it ends.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use toolwright::capability::BlockingPool;
/// use toolwright::model::TestModel;
/// use toolwright::Agent;
///
/// # fn main() -> toolwright::Result<()> {
/// let pool = BlockingPool::new(NonZeroUsize::new(16).expect("not zero"));
/// let searching = Agent::<()>::builder(TestModel::new()).capability(pool.clone()).build()?;
/// let writing = Agent::<()>::builder(TestModel::new()).capability(pool).build()?;
/// # let _ = (searching, writing);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct BlockingPool {
    turns: Arc<Semaphore>,
    threads: NonZeroUsize,
}

impl BlockingPool {
    /// At most so many threads at once.
    #[must_use]
    pub fn new(threads: NonZeroUsize) -> Self {
        Self { turns: Arc::new(Semaphore::new(threads.get().min(Semaphore::MAX_PERMITS))), threads }
    }

    /// Waits for a turn, which ends when what is given is dropped.
    pub(crate) async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        // It is never closed, so there always is one.
        self.turns.clone().acquire_owned().await.ok()
    }
}

impl<D: Send + Sync + 'static> Capability<D> for BlockingPool {
    fn internals(&self) -> Internals<'_, D> {
        Internals {
            hooks: Hooks::NONE,
            blocking_pool: Some(self),
            label: Some("the blocking pool".into()),
            ..Internals::default()
        }
    }
}

impl fmt::Debug for BlockingPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingPool").field("threads", &self.threads).finish_non_exhaustive()
    }
}
