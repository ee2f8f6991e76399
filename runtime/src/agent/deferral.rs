//! Calls that wait: collected, put before the agent's handler, and otherwise the run's output.

use std::collections::HashSet;

use super::calls::Planned;
use super::state::RunState;
use super::turn::{Deferred, Turn, Winner, answer, status};
use crate::capability::Capability;
use crate::context::RunContext;
use crate::deferred::{DeferredToolRequests, DeferredToolResults};
use crate::error::{Error, Result};
use crate::event::Event;
use crate::message::RequestPart;
use crate::panics::catch_future;
use crate::tool::CallKind;
use crate::wording::listed;

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Looks at the calls of tools that always wait: first those that run elsewhere, then those to be approved.
    pub(super) async fn collect_deferred(&mut self, planned: &[Planned], turn: &mut Turn<O>) -> Result<()> {
        for kind in [CallKind::External, CallKind::Unapproved] {
            for planned in planned.iter().filter(|planned| planned.kind() == Some(kind)) {
                if turn.winner.is_some() {
                    self.skip(planned, turn);
                } else {
                    self.defer_by_kind(planned, kind, turn).await?;
                }
            }
        }
        if turn.winner.is_some() {
            // Calls that chose to wait while another gave the output: nobody will answer them later (decision 6).
            for deferred in std::mem::take(&mut turn.deferred) {
                let part = answer(&deferred.call, status::TOOL_SKIPPED);
                self.emit(Event::FunctionToolResult { part: part.clone() });
                turn.parts.push(RequestPart::ToolReturn(part));
            }
        }
        Ok(())
    }

    /// Hands calls that wait to the agent's handler; those it leaves open are the run's output.
    pub(super) async fn resolve_deferred(&mut self, turn: &mut Turn<O>) -> Result<()> {
        if turn.winner.is_some() || turn.deferred.is_empty() {
            return Ok(());
        }
        let requests = requests(std::mem::take(&mut turn.deferred))?;
        if self.is_heard() {
            self.emit(Event::DeferredToolRequests(requests.clone()));
        }
        let ctx = self.context(self.retries.tool_budget());
        let open = match self.handler_answers(&ctx, &requests).await? {
            Some(answers) => self.answer_deferred(requests, answers, turn).await?,
            None => requests,
        };
        if open.is_empty() {
            return Ok(());
        }
        if let Some(call) = open.calls.iter().chain(&open.approvals).find(|call| turn.answers(&call.tool_call_id)) {
            return Err(Error::model_behavior(format!(
                "a call of `{}` that waits has the id `{}` of another call, so that no answer could tell them apart",
                call.tool_name, call.tool_call_id
            )));
        }
        let Some(deferred) = self.agent.output.deferred else {
            let waiting = listed(open.calls.iter().chain(&open.approvals).map(|call| call.tool_name.as_str()));
            return Err(Error::misuse(format!(
                "a call of {waiting} has to wait for somebody outside the run, which this agent does not allow; build it with \
                 `.allow_deferred()`, or answer such calls with `.handle_deferred(…)`"
            )));
        };
        turn.winner = Some(Winner::without_answer(deferred(open)));
        Ok(())
    }

    /// What the capabilities say to calls that wait: each is asked of those that the ones before it left open.
    async fn handler_answers(
        &mut self,
        ctx: &RunContext<D>,
        requests: &DeferredToolRequests,
    ) -> Result<Option<DeferredToolResults>> {
        let mut answers: Option<DeferredToolResults> = None;
        for entry in self.active.iter().filter(|entry| entry.hooks().handle_deferred) {
            let open = match &answers {
                Some(answers) => requests.clone().remaining(answers),
                None => requests.clone(),
            };
            if open.is_empty() {
                break;
            }
            let asked = catch_future(entry.capability().handle_deferred(ctx, open.clone()));
            let more = self.stop().unless_stopped(asked).await?.and_then(|more| more);
            let more = more.map_err(|error| Error::tool(format!("{} failed", entry.label()), error))?;
            // To answer nothing is not to answer.
            let Some(more) = more.filter(|more| more.ids().next().is_some()) else { continue };
            check_known(entry.label(), &open, &more)?;
            answers = Some(match answers {
                Some(answers) => answers.and(more),
                None => more,
            });
        }
        Ok(answers)
    }

    async fn answer_deferred(
        &mut self,
        requests: DeferredToolRequests,
        answers: DeferredToolResults,
        turn: &mut Turn<O>,
    ) -> Result<DeferredToolRequests> {
        if self.is_heard() {
            self.emit(Event::DeferredToolResults(answers.clone()));
        }
        let waiting = || requests.approvals.iter().chain(&requests.calls);
        let answered = waiting().filter(|call| answers.names(&call.tool_call_id));
        let answered: Vec<_> = answered
            .map(|call| Planned::answered(self.tools.target(&call.tool_name), call.clone(), &answers))
            .collect::<Result<_>>()?;
        let answered: Vec<_> = answered.iter().collect();
        self.run_announced(&answered, turn).await?;
        let mut open = requests.remaining(&answers);
        if !turn.deferred.is_empty() {
            // A call that was approved can choose to wait again.
            let more = self::requests(std::mem::take(&mut turn.deferred))?;
            open.calls.extend(more.calls);
            open.approvals.extend(more.approvals);
            open.metadata.extend(more.metadata);
        }
        Ok(open)
    }
}

/// Refuses answers to calls that were not given.
fn check_known(label: &str, open: &DeferredToolRequests, answers: &DeferredToolResults) -> Result<()> {
    let waiting = || open.approvals.iter().chain(&open.calls);
    match answers.ids().find(|id| !waiting().any(|call| call.tool_call_id == *id)) {
        Some(stranger) => Err(Error::misuse(format!(
            "{label} answered the call `{stranger}`, which does not wait; answer the calls it is given"
        ))),
        None => Ok(()),
    }
}

/// The calls as requests; their ids must tell them apart.
fn requests(deferred: Vec<Deferred>) -> Result<DeferredToolRequests> {
    let mut ids = HashSet::new();
    if let Some(twice) = deferred.iter().find(|deferred| !ids.insert(deferred.call.tool_call_id.as_str())) {
        return Err(Error::model_behavior(format!(
            "two calls that wait have the same id `{}`, so that no answer could tell them apart",
            twice.call.tool_call_id
        )));
    }
    let mut requests = DeferredToolRequests::default();
    for Deferred { call, for_approval, metadata } in deferred {
        if let Some(metadata) = metadata {
            requests.metadata.insert(call.tool_call_id.clone(), metadata);
        }
        if for_approval { requests.approvals.push(call) } else { requests.calls.push(call) }
    }
    Ok(requests)
}
