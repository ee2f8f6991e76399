//! Runs the calls of a response: side by side, but for barriers.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio_util::task::AbortOnDropHandle;

use super::calls::{Answer, Checked, Planned};
use super::state::{RunState, cancelled};
use super::turn::{Deferred, Turn};
use crate::context::RunContext;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::message::{Outcome, RequestPart, RetryCause, ToolAvailabilityDeltaPart, ToolContent, UserPromptPart};
use crate::panics::{catch_future, panic_error};
use crate::tool::{CallKind, Finished, ReadArgs, Running, Tool};
use crate::trace::{CallSpan, on_thread};

/// What became of a call.
enum Outcoming {
    Answered(Answer),
    Deferred(Deferred),
}

/// What a tool's body ended with.
enum Ran {
    Finished(Finished),
    TimedOut,
}

impl Ran {
    /// Whether the tool ran out of time, by the run's clock or by its own word.
    fn is_late(&self) -> bool {
        match self {
            Self::TimedOut => true,
            Self::Finished(finished) => finished.as_ref().is_err_and(|error| is_elapsed(&**error)),
        }
    }
}

/// How a call ended.
enum End<D> {
    /// It was known before anything ran.
    Known(Outcoming),
    Ran {
        tool: Tool<D>,
        timeout: Option<Duration>,
        ran: Ran,
        span: CallSpan,
    },
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Looks at all calls, in order, and then runs them.
    pub(super) async fn run_calls(&mut self, calls: &[&Planned], turn: &mut Turn<O>) -> Result<()> {
        check_ids(calls)?;
        let mut checked = Vec::with_capacity(calls.len());
        for planned in calls {
            checked.push(self.check(planned).await?);
        }
        self.run_checked(calls, checked, turn).await
    }

    /// The same for calls that were told of before.
    pub(super) async fn run_announced(&mut self, calls: &[&Planned], turn: &mut Turn<O>) -> Result<()> {
        let mut checked = Vec::with_capacity(calls.len());
        for planned in calls {
            checked.push(self.check_quietly(planned).await?);
        }
        self.run_checked(calls, checked, turn).await
    }

    async fn run_checked(&mut self, calls: &[&Planned], checked: Vec<Checked<D>>, turn: &mut Turn<O>) -> Result<()> {
        let mut outcomes: Vec<_> = calls.iter().map(|_| None).collect();
        let ended = self.run_segments(calls, checked, &mut outcomes).await;
        self.record(calls, outcomes, turn);
        ended
    }

    /// Runs the calls between two barriers side by side, one stretch after the other.
    async fn run_segments(
        &mut self,
        calls: &[&Planned],
        checked: Vec<Checked<D>>,
        outcomes: &mut [Option<Outcoming>],
    ) -> Result<()> {
        let serial = self.settings.parallel_tool_calls == Some(false);
        let mut checked = checked.into_iter().enumerate().peekable();
        while let Some(first) = checked.next() {
            let alone = serial || is_barrier(&first.1);
            let mut segment = vec![first];
            while !alone && let Some(next) = checked.next_if(|(_, next)| !is_barrier(next)) {
                segment.push(next);
            }
            self.run_segment(calls, segment, outcomes).await?;
        }
        Ok(())
    }

    async fn run_segment(
        &mut self,
        calls: &[&Planned],
        segment: Vec<(usize, Checked<D>)>,
        outcomes: &mut [Option<Outcoming>],
    ) -> Result<()> {
        // Calls that are stopped are dropped in their own order, whatever order the set below keeps.
        let begin = |(place, checked)| Box::pin(end_of(place, self.span(calls[place], &checked), checked));
        let mut bodies: Vec<_> = segment.into_iter().map(begin).collect();
        let mut running: FuturesUnordered<_> = bodies.iter_mut().collect();
        let stop = self.stop();
        loop {
            let ended = match stop.unless_stopped(running.next()).await {
                Ok(None) => return Ok(()),
                Ok(Some((place, end))) => {
                    let ended = self.conclude(calls[place], end);
                    if stop.is_cancelled() {
                        // It was done all the same, though nobody hears of it any more.
                        outcomes[place] = ended.ok();
                        Err(cancelled())
                    } else {
                        ended.map(|outcome| self.keep(place, outcome, outcomes))
                    }
                }
                Err(stopped) => Err(stopped),
            };
            if let Err(error) = ended {
                // What completes at once still counts; the rest is dropped, and so stopped.
                while let Some(Some((place, end))) = running.next().now_or_never() {
                    if let Ok(outcome) = self.conclude(calls[place], end) {
                        outcomes[place] = Some(outcome);
                    }
                }
                return Err(error);
            }
        }
    }

    /// The span of a call that runs.
    fn span(&self, planned: &Planned, checked: &Checked<D>) -> CallSpan {
        match checked {
            Checked::Ready { .. } => self.trace.call(&planned.call, planned.args()),
            _ => CallSpan::none(),
        }
    }

    /// Keeps what became of a call, and tells of it.
    fn keep(&mut self, place: usize, outcome: Outcoming, outcomes: &mut [Option<Outcoming>]) {
        if let Outcoming::Answered(answer) = &outcome {
            if self.is_heard() {
                self.emit(Event::FunctionToolResult { part: answer.part.clone() });
            }
            self.transcript.record_partial(|| answer.parts());
        }
        outcomes[place] = Some(outcome);
    }

    /// What a call's end comes to.
    fn conclude(&mut self, planned: &Planned, end: End<D>) -> Result<Outcoming> {
        self.calls_ahead.call_ended(matches!(end, End::Ran { ran: Ran::Finished(Ok(_)), .. }));
        let (tool, timeout, ran, mut span) = match end {
            End::Known(outcome) => return Ok(outcome),
            End::Ran { tool, timeout, ran, span } => (tool, timeout, ran, span),
        };
        let outcome = match (timeout.filter(|_| ran.is_late()), ran) {
            (Some(timeout), _) => {
                span.timed_out();
                self.timed_out(planned, &tool, timeout)
            }
            (None, Ran::Finished(finished)) => self.finished(planned, &tool, finished),
            (None, Ran::TimedOut) => unreachable!("only a call with a time limit runs out of time"),
        };
        match &outcome {
            Ok(Outcoming::Answered(answer)) => span.answered(&answer.part),
            Ok(Outcoming::Deferred(deferred)) => span.deferred(deferred.for_approval, deferred.metadata.as_ref()),
            Err(error) => span.failed(error, RetryCause::ModelRetry),
        }
        outcome
    }

    fn finished(&mut self, planned: &Planned, tool: &Tool<D>, finished: Finished) -> Result<Outcoming> {
        let call = &planned.call;
        match finished {
            Ok(result) => {
                self.ledger.succeeded(&call.tool_name);
                Ok(Outcoming::Answered(Answer::new(call, Outcome::Success, result)))
            }
            Err(error) => self.failure(tool, call, error, "tool").map(|checked| match checked {
                Checked::Deferred(deferred) => Outcoming::Deferred(deferred),
                Checked::Answered(answer) => Outcoming::Answered(answer),
                Checked::Ready { .. } => unreachable!("a failure never makes a call ready"),
            }),
        }
    }

    fn timed_out(&mut self, planned: &Planned, tool: &Tool<D>, timeout: Duration) -> Result<Outcoming> {
        let message = format!("Timed out after {} seconds.", timeout.as_secs_f64());
        let content = ToolContent::text(&message);
        self.retry(tool, &planned.call, RetryCause::ModelRetry, content, message.into()).map(Outcoming::Answered)
    }

    /// The tools that a call reveals, each once in a run: the first call in the history that names one owns it.
    fn reveal(&mut self, reveal: Vec<String>, call_id: String) -> Option<ToolAvailabilityDeltaPart> {
        let mut names = Vec::new();
        for name in reveal {
            if !self.discovery.contains(&name) {
                self.discovery.add([name.clone()]);
                names.push(name);
            }
        }
        (!names.is_empty()).then(|| ToolAvailabilityDeltaPart::new(names, Some(call_id)))
    }

    /// Puts the answers into the turn, in the order of the calls; what is for the user comes after all of them.
    fn record(&mut self, calls: &[&Planned], outcomes: Vec<Option<Outcoming>>, turn: &mut Turn<O>) {
        let mut contents = Vec::new();
        let mut deltas = Vec::new();
        for (planned, outcome) in calls.iter().zip(outcomes) {
            match outcome {
                None => {}
                Some(Outcoming::Deferred(deferred)) => turn.deferred.push(deferred),
                Some(Outcoming::Answered(Answer { part, content, reveal })) => {
                    turn.retry_asked |= part.outcome == Outcome::Retried && planned.kind() == Some(CallKind::Function);
                    let call_id = part.tool_call_id.clone();
                    turn.parts.push(RequestPart::ToolReturn(part));
                    if let Some(delta) = self.reveal(reveal, call_id) {
                        turn.parts.push(RequestPart::ToolAvailabilityDelta(delta.clone()));
                        deltas.push(delta);
                    }
                    contents.extend(content.map(|content| RequestPart::UserPrompt(UserPromptPart::new(content))));
                }
            }
        }
        turn.parts.extend(contents);
        for part in deltas {
            self.emit(Event::ToolAvailabilityDelta { part });
        }
    }
}

/// Results are matched to calls by their ids.
fn check_ids(calls: &[&Planned]) -> Result<()> {
    let mut ids = HashSet::new();
    let twice: BTreeSet<_> = calls
        .iter()
        .map(|planned| planned.call.tool_call_id.as_str())
        .filter(|id| !ids.insert(*id))
        .map(|id| format!("`{id}`"))
        .collect();
    if twice.is_empty() {
        return Ok(());
    }
    Err(Error::model_behavior(format!(
        "the model made more than one call with the same id ({}), so that no result could tell them apart",
        twice.into_iter().collect::<Vec<_>>().join(", ")
    )))
}

fn is_barrier<D>(checked: &Checked<D>) -> bool {
    matches!(checked, Checked::Ready { tool, .. } if tool.definition().sequential())
}

/// Runs a call, unless it is known already what becomes of it.
async fn end_of<D: Send + Sync + 'static>(place: usize, span: CallSpan, checked: Checked<D>) -> (usize, End<D>) {
    let end = match checked {
        Checked::Ready { tool, ctx, args } => {
            let timeout = tool.definition().timeout().or(tool.inner().default_timeout);
            let ran = span.around(run_body(&tool, ctx, args, timeout)).await;
            End::Ran { tool, timeout, ran, span }
        }
        Checked::Answered(answer) => End::Known(Outcoming::Answered(answer)),
        Checked::Deferred(deferred) => End::Known(Outcoming::Deferred(deferred)),
    };
    (place, end)
}

/// Runs a tool's body to its end, or to its time limit. A panic is the tool's error.
async fn run_body<D: Send + Sync + 'static>(
    tool: &Tool<D>,
    ctx: RunContext<D>,
    args: ReadArgs,
    timeout: Option<Duration>,
) -> Ran {
    let body = async {
        match tool.inner().body.call(ctx, args) {
            Running::Done(finished) => finished,
            Running::Future(future) => future.await,
            // A call that still waits for a thread when it is dropped must not begin any more.
            Running::Blocking(job) => match AbortOnDropHandle::new(tokio::task::spawn_blocking(on_thread(job))).await {
                Ok(finished) => finished,
                Err(error) if error.is_panic() => Err(panic_error(&*error.into_panic())),
                Err(error) => Err(error.into()),
            },
        }
    };
    // The clock, too, can panic: a runtime may have none.
    let ended = catch_future(async {
        match timeout {
            None => Ran::Finished(body.await),
            Some(timeout) => tokio::time::timeout(timeout, body).await.map_or(Ran::TimedOut, Ran::Finished),
        }
    });
    ended.await.unwrap_or_else(|panic| Ran::Finished(Err(panic)))
}

/// Whether the tool's own error says that something timed out.
fn is_elapsed(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(current) = next {
        if current.is::<tokio::time::error::Elapsed>() {
            return true;
        }
        next = current.source();
    }
    false
}
