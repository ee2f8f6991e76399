//! A run whose events are read while it goes on.

use std::collections::VecDeque;
use std::fmt;
use std::future::{IntoFuture, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

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
    events: Arc<Mutex<Queue>>,
    ended: Option<Result<RunResult<O>>>,
}

/// Events that nobody has read yet.
#[derive(Default)]
struct Queue {
    events: VecDeque<Event>,
    /// Of whoever waits for one: tools on threads of their own tell when the run itself has nothing to do.
    reader: Option<Waker>,
}

impl<D: Send + Sync + 'static, O: Send + 'static, State> Run<D, O, State>
where
    Self: IntoFuture<Output = Result<RunResult<O>>, IntoFuture = BoxFuture<'static, Result<RunResult<O>>>>,
{
    /// Reads the run's events while it goes on. The model is asked for a streamed response, and what comes in of it is
    /// told part by part. A listener set with [`Run::on_event`] is told first.
    pub fn stream(self) -> RunStream<O> {
        let events: Arc<Mutex<Queue>> = Arc::default();
        let queue = events.clone();
        let mut run = self;
        run.options.streamed = true;
        let mut listener = run.options.events.take();
        run.options.events = Some(Box::new(move |event| {
            if let Some(listener) = &mut listener {
                listener(event.clone());
            }
            let mut queue = lock(&queue);
            queue.events.push_back(event);
            if let Some(reader) = queue.reader.take() {
                reader.wake();
            }
        }));
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
        let mut queue = lock(&self.events);
        let event = queue.events.pop_front();
        if event.is_some() {
            return Poll::Ready(event);
        }
        queue.reader = Some(ctx.waker().clone());
        Poll::Pending
    }

    fn waiting(&self) -> Option<Event> {
        lock(&self.events).events.pop_front()
    }
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the run comes to is never pinned.
impl<O> Unpin for RunStream<O> {}

impl<O> Stream for RunStream<O> {
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
