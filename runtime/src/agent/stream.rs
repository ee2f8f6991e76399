//! A run whose events are read while it goes on.

use std::collections::VecDeque;
use std::fmt;
use std::future::{IntoFuture, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_util::Stream;

use super::RunResult;
use super::run::Run;
use crate::error::Result;
use crate::event::Event;
use crate::later::BoxFuture;

/// A run whose events are read while it goes on; made with [`Run::stream`].
///
/// The run goes on only while it is read: it is no task of its own, and dropping it stops it.
///
/// ```
/// # use toolwright::{Agent, Event, model::TestModel};
/// # #[tokio::main]
/// # async fn main() -> toolwright::Result<()> {
/// let agent = Agent::<()>::builder(TestModel::new()).build()?;
/// let mut stream = agent.run("Hello.").stream();
/// while let Some(event) = stream.next().await {
///     if let Event::Part(part) = event {
///         println!("{part:?}");
///     }
/// }
/// let result = stream.finish().await?;
/// assert_eq!(result.output(), "success (no tool calls)");
/// # Ok(())
/// # }
/// ```
#[must_use = "a run does nothing until it is read"]
pub struct RunStream<O> {
    run: Option<BoxFuture<'static, Result<RunResult<O>>>>,
    events: Arc<Mutex<VecDeque<Event>>>,
    ended: Option<Result<RunResult<O>>>,
}

impl<D: Send + Sync + 'static, O: Send + 'static, State> Run<D, O, State>
where
    Self: IntoFuture<Output = Result<RunResult<O>>, IntoFuture = BoxFuture<'static, Result<RunResult<O>>>>,
{
    /// Reads the run's events while it goes on. The model is asked for a streamed response, and what comes in of it is
    /// told part by part. A listener set with [`Run::on_event`] is replaced.
    pub fn stream(self) -> RunStream<O> {
        let events: Arc<Mutex<VecDeque<Event>>> = Arc::default();
        let queue = events.clone();
        let mut run = self;
        run.options.streamed = true;
        run.options.events =
            Some(Box::new(move |event| queue.lock().unwrap_or_else(PoisonError::into_inner).push_back(event)));
        RunStream { run: Some(run.into_future()), events, ended: None }
    }
}

impl<O> RunStream<O> {
    /// The next event; `None` once the run has ended.
    pub async fn next(&mut self) -> Option<Event> {
        poll_fn(|ctx| self.poll_event(ctx)).await
    }

    /// What the run comes to. Events that nobody has read are passed over.
    ///
    /// # Errors
    ///
    /// Those of the run.
    pub async fn finish(mut self) -> Result<RunResult<O>> {
        if let Some(ended) = self.ended.take() {
            return ended;
        }
        match self.run.take() {
            Some(run) => run.await,
            None => unreachable!("a run that has ended has left what it came to"),
        }
    }

    fn poll_event(&mut self, ctx: &mut Context<'_>) -> Poll<Option<Event>> {
        if let Some(event) = self.waiting() {
            return Poll::Ready(Some(event));
        }
        let Some(run) = &mut self.run else {
            return Poll::Ready(None);
        };
        let poll = run.as_mut().poll(ctx);
        if let Poll::Ready(ended) = poll {
            self.ended = Some(ended);
            self.run = None;
            return Poll::Ready(self.waiting());
        }
        match self.waiting() {
            Some(event) => Poll::Ready(Some(event)),
            None => Poll::Pending,
        }
    }

    fn waiting(&self) -> Option<Event> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

impl<O: Unpin> Stream for RunStream<O> {
    type Item = Event;

    fn poll_next(self: Pin<&mut Self>, ctx: &mut Context<'_>) -> Poll<Option<Event>> {
        self.get_mut().poll_event(ctx)
    }
}

impl<O> fmt::Debug for RunStream<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunStream").field("ended", &self.ended.is_some()).finish_non_exhaustive()
    }
}
