//! At most so many requests at a time.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Semaphore, SemaphorePermit};

use super::part_event::PartEvents;
use super::{Model, ModelInput, ModelSettings, RequestCache, SearchStrategy};
use crate::error::{Error, Result};
use crate::message::ModelResponse;
use crate::native::NativeTool;

/// How many requests may be under way at a time. Cloning shares it, so that several models stay below it together.
#[derive(Clone)]
pub struct ConcurrencyLimit(Arc<Inner>);

struct Inner {
    room: Semaphore,
    at_once: usize,
    /// How many may wait.
    longest_queue: Option<usize>,
    waiting: AtomicUsize,
}

impl ConcurrencyLimit {
    /// This many requests at a time, at least one. Any number more may wait for their turn.
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        Self::of(at_once, None)
    }

    /// Lets no more than this many requests wait; one more fails at once, with an error that
    /// [may be tried again](Error::is_retryable). This is a limit of its own: clones made before do not share it.
    #[must_use]
    pub fn queue(self, longest: usize) -> Self {
        Self::of(self.0.at_once, Some(longest))
    }

    fn of(at_once: usize, longest_queue: Option<usize>) -> Self {
        let at_once = at_once.clamp(1, Semaphore::MAX_PERMITS);
        Self(Arc::new(Inner { room: Semaphore::new(at_once), at_once, longest_queue, waiting: AtomicUsize::new(0) }))
    }

    /// How many requests wait for their turn.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.0.waiting.load(Ordering::Relaxed)
    }

    /// Waits for a request's turn, in the order in which they came.
    async fn turn(&self, model: &str) -> Result<SemaphorePermit<'_>> {
        if let Ok(turn) = self.0.room.try_acquire() {
            return Ok(turn);
        }
        let _waiting = self.wait(model)?;
        // Nobody closes it.
        self.0
            .room
            .acquire()
            .await
            .map_err(|closed| Error::provider("no more requests are let through").with_source(closed))
    }

    fn wait(&self, model: &str) -> Result<Waiting<'_>> {
        let longest = self.0.longest_queue.unwrap_or(usize::MAX);
        let joined =
            self.0.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| (now < longest).then_some(now + 1));
        match joined {
            Ok(_) => Ok(Waiting(&self.0.waiting)),
            Err(now) => Err(Error::provider(format!(
                "the request to `{model}` was not sent: {} are under way and {now} wait, as many as `ConcurrencyLimit` lets; \
                 try again later, or let more of them wait",
                self.0.at_once
            ))
            .retryable()),
        }
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl From<usize> for ConcurrencyLimit {
    fn from(at_once: usize) -> Self {
        Self::new(at_once)
    }
}

impl fmt::Debug for ConcurrencyLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConcurrencyLimit")
            .field("at_once", &self.0.at_once)
            .field("queue", &self.0.longest_queue)
            .field("waiting", &self.waiting())
            .finish_non_exhaustive()
    }
}

/// A place among those who wait, for as long as it lives.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

tokio::task_local! {
    /// The limits below which the request is that is being made.
    static PASSED: Vec<ConcurrencyLimit>;
}

/// A model with at most so many requests at a time: for a provider's own limit, or a server that does one at a time.
///
/// ```
/// use toolwright::model::{ConcurrencyLimit, LimitedModel, TestModel};
///
/// let eight = ConcurrencyLimit::new(8).queue(1000);
/// let (large, small) = (LimitedModel::new(TestModel::new(), eight.clone()), LimitedModel::new(TestModel::new(), eight));
/// let alone = LimitedModel::new(TestModel::new(), 1);
/// # let _ = (large, small, alone);
/// ```
///
/// A request has its turn until its response is whole, streamed ones included; one that is dropped lets the next in.
#[derive(Clone, Debug)]
pub struct LimitedModel<M> {
    model: M,
    limit: ConcurrencyLimit,
}

impl<M: Model> LimitedModel<M> {
    /// `model`, below `limit`: a number, or a [`ConcurrencyLimit`] that others share.
    pub fn new(model: M, limit: impl Into<ConcurrencyLimit>) -> Self {
        Self { model, limit: limit.into() }
    }

    /// Makes a request when its turn has come.
    ///
    /// # Errors
    ///
    /// The request's; the provider's, when too many wait; misuse, when this one waits for itself.
    async fn in_turn(&self, request: impl Future<Output = Result<ModelResponse>>) -> Result<ModelResponse> {
        let mut passed = PASSED.try_with(Clone::clone).unwrap_or_default();
        if passed.iter().any(|limit| limit.is(&self.limit)) {
            return Err(Error::misuse(format!(
                "`{}` is inside another model with the same `ConcurrencyLimit`, so that a request could wait for itself; limit \
                 one of the two",
                self.model.name()
            )));
        }
        let _turn = self.limit.turn(self.model.name()).await?;
        passed.push(self.limit.clone());
        PASSED.scope(passed, request).await
    }
}

impl<M: Model> Model for LimitedModel<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn system(&self) -> &str {
        self.model.system()
    }

    fn settings(&self) -> Option<&ModelSettings> {
        self.model.settings()
    }

    fn has_native_output(&self) -> bool {
        self.model.has_native_output()
    }

    fn can_search(&self, strategy: SearchStrategy) -> bool {
        self.model.can_search(strategy)
    }

    fn has_native_tool(&self, tool: &NativeTool) -> bool {
        self.model.has_native_tool(tool)
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse> {
        self.in_turn(self.model.request(input, cache)).await
    }

    async fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        self.in_turn(self.model.request_stream(input, cache, events)).await
    }
}
