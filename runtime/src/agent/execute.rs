//! Runs the calls of a response: side by side, but for barriers.

use std::collections::{BTreeSet, HashSet};

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

use super::calls::{Answer, Checked, Planned};
use super::collect::Target;
use super::hooks::{Body, any_around, args_error};
use super::state::{RunState, cancelled};
use super::turn::{Deferred, Turn};
use crate::capability::{BlockingPool, Entry, LOAD_KIND, NextToolExecution, ToolInvocation};
use crate::context::RunContext;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::message::{
    Arguments, Outcome, RequestPart, RetryCause, ToolAvailabilityDeltaPart, ToolCallPart, ToolContent, UserPromptPart,
};
use crate::panics::catch_future;
use crate::tool::{CallKind, Finished, ReadArgs, Tool};
use crate::trace::CallSpan;

/// What became of a call.
enum Outcoming {
    Answered(Answer),
    Deferred(Deferred),
}

/// How a call ended.
enum End<D> {
    /// It was known before anything ran.
    Known(Outcoming),
    Ran {
        tool: Tool<D>,
        finished: Finished,
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
        let (active, pool) = (self.active.clone(), self.capabilities.blocking_pool().cloned());
        let begin = |(place, checked): (usize, Checked<D>)| {
            let call = &calls[place].call;
            let span = self.span(call, &checked);
            Box::pin(end_of(place, call, checked, span, &active, &pool))
        };
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

    /// The span of a call that is about to run.
    fn span(&self, call: &ToolCallPart, checked: &Checked<D>) -> CallSpan {
        match checked {
            Checked::Ready { args, .. } => self.trace.call(call, args),
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
        self.calls_ahead.call_ended(matches!(end, End::Ran { finished: Ok(_), .. }));
        let (tool, finished, span) = match end {
            End::Known(outcome) => return Ok(outcome),
            End::Ran { tool, finished, span } => (tool, finished, span),
        };
        let outcome = self.outcome(&planned.call, &tool, finished);
        match &outcome {
            Ok(Outcoming::Answered(answer)) => span.answered(&answer.part),
            Ok(Outcoming::Deferred(deferred)) => span.deferred(deferred.for_approval, deferred.metadata.as_ref()),
            Err(error) => span.failed(error),
        }
        outcome
    }

    /// What comes of what a tool ended with.
    fn outcome(&mut self, call: &ToolCallPart, tool: &Tool<D>, finished: Finished) -> Result<Outcoming> {
        let error = match finished {
            Ok(result) => {
                self.check_reveal(tool, &result.reveal)?;
                self.ledger.succeeded(&call.tool_name);
                return Ok(Outcoming::Answered(Answer::new(call, Outcome::Success, result)));
            }
            Err(error) => error,
        };
        // Only a hook gives a tool arguments that were not read before.
        if any_around(&self.active)
            && let Some(own) = args_error(&*error)
        {
            let content = ToolContent::Json(own.to_json());
            return self.retry(tool, call, RetryCause::ValidationError, content, error).map(Outcoming::Answered);
        }
        self.failure(tool, call, error, "tool").map(|checked| match checked {
            Checked::Deferred(deferred) => Outcoming::Deferred(deferred),
            Checked::Answered(answer) => Outcoming::Answered(answer),
            Checked::Ready { .. } => unreachable!("a failure never makes a call ready"),
        })
    }

    /// Refuses to reveal what only loading a capability reveals.
    fn check_reveal(&self, tool: &Tool<D>, reveal: &[String]) -> Result<()> {
        if tool.definition().tool_kind() == Some(LOAD_KIND) {
            return Ok(());
        }
        let owned = |name: &String| {
            let Target::Function(place, _) = self.tools.target(name) else { return None };
            self.tools.definitions[place].capability_id().filter(|id| !self.discovery.is_loaded(id))
        };
        match reveal.iter().find_map(|name| Some((name, owned(name)?))) {
            None => Ok(()),
            Some((name, id)) => Err(Error::misuse(format!(
                "tool `{}` reveals `{name}`, which belongs to the capability `{id}`: the model has it once it has loaded that",
                tool.name()
            ))),
        }
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
async fn end_of<D: Send + Sync + 'static>(
    place: usize,
    call: &ToolCallPart,
    checked: Checked<D>,
    mut span: CallSpan,
    active: &[Entry<D>],
    pool: &Option<BlockingPool>,
) -> (usize, End<D>) {
    let end = match checked {
        Checked::Ready { tool, ctx, args, read } => {
            let finished = run_call(call, &tool, ctx, (args, read), &mut span, active, pool).await;
            End::Ran { tool, finished, span }
        }
        Checked::Answered(answer) => End::Known(Outcoming::Answered(answer)),
        Checked::Deferred(deferred) => End::Known(Outcoming::Deferred(deferred)),
    };
    (place, end)
}

/// Runs a tool's body, by way of the hooks around it. A panic is the tool's error.
async fn run_call<D: Send + Sync + 'static>(
    call: &ToolCallPart,
    tool: &Tool<D>,
    ctx: RunContext<D>,
    (args, read): (Arguments, ReadArgs),
    span: &mut CallSpan,
    active: &[Entry<D>],
    pool: &Option<BlockingPool>,
) -> Finished {
    let mut body = Body {
        tool: tool.clone(),
        ctx: ctx.clone(),
        args: args.clone(),
        read: Some(read),
        pool: pool.clone(),
        is_late: false,
    };
    // The clock, too, can panic: a runtime may have none.
    let ended = span
        .around(async {
            if any_around(active) {
                let invocation = ToolInvocation { call, tool: tool.definition(), args };
                catch_future(NextToolExecution::new(active, &ctx, &mut body).run(invocation)).await
            } else {
                catch_future(body.once(&args)).await
            }
        })
        .await;
    if body.is_late {
        span.timed_out();
    }
    ended.unwrap_or_else(Err)
}
