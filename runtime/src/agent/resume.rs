//! How a run begins where a conversation stands.

use std::collections::{BTreeSet, HashSet};

use super::calls::{Given, Planned};
use super::state::RunState;
use super::turn::Turn;
use crate::deferred::DeferredToolResults;
use crate::error::{Error, Result};
use crate::message::{History, Message, ModelRequest, Outcome, Prompt, RequestPart, ToolCallPart, UserPromptPart};
use crate::repair::unanswered;
use crate::wording::listed;

/// What a run begins with.
pub(super) enum Start {
    /// A request to the model.
    Request(ModelRequest),
    /// Calls that wait in the history; what the user says comes after their answers.
    Calls { calls: Vec<ToolCallPart>, results: Option<DeferredToolResults>, prompt: Option<Prompt> },
    /// A response without calls: it may hold the run's output.
    Response(Message),
}

/// Finds out what a run with this history begins with.
pub(super) fn start(history: &History, prompt: Option<Prompt>, results: Option<DeferredToolResults>) -> Result<Start> {
    if let Some(results) = results {
        let calls = waiting(history, &results)?;
        return Ok(Start::Calls { calls, results: Some(results), prompt });
    }
    let open_calls = match history.last() {
        Some(Message::Response(response)) => response.tool_calls().count(),
        _ => 0,
    };
    match prompt {
        Some(_) if open_calls > 0 => Err(Error::misuse(
            "the history ends with calls that nothing has answered, so there is no place for a new prompt; run it with \
             `agent.resume(history)` to run the calls, and give `.results(…)` if they were deferred",
        )),
        Some(prompt) => {
            Ok(Start::Request(ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))])))
        }
        None if open_calls > 0 => Ok(Start::Calls { calls: unanswered(history), results: None, prompt: None }),
        None if let Some(last @ Message::Response(_)) = history.last() => Ok(Start::Response(last.clone())),
        None => Ok(Start::Request(ModelRequest::new(Vec::new()))),
    }
}

/// The calls that `results` answer: all that wait, and no others.
fn waiting(history: &History, results: &DeferredToolResults) -> Result<Vec<ToolCallPart>> {
    if history.is_empty() {
        return Err(Error::misuse("results of calls were given, but no history; give the one the calls are in"));
    }
    let last = history.iter().rev().find_map(|message| match message {
        Message::Response(response) => Some(response),
        Message::Request(_) => None,
    });
    let calls: Vec<_> = last.map(|response| response.tool_calls().collect()).unwrap_or_default();
    if calls.is_empty() {
        return Err(Error::misuse(
            "results of calls were given, but the newest response in the history makes no calls",
        ));
    }
    let open = unanswered(history);
    let mut ids = HashSet::new();
    if let Some(twice) = open.iter().find(|call| !ids.insert(call.tool_call_id.as_str())) {
        return Err(Error::misuse(format!(
            "two calls in the history wait with the same id `{}`, so that no result could tell them apart",
            twice.tool_call_id
        )));
    }
    let expected: BTreeSet<_> = ids.iter().copied().collect();
    let given: BTreeSet<_> = results.ids().collect();
    if let Some(done) =
        given.iter().find(|id| !expected.contains(*id) && calls.iter().any(|call| call.tool_call_id == **id))
    {
        return Err(Error::misuse(format!("the call `{done}` was answered already, and its answer cannot be changed")));
    }
    if given != expected {
        return Err(Error::misuse(format!(
            "the results must answer the calls that wait, all of them and no others: waiting are {}, given are {}",
            listed(expected.iter().copied()),
            listed(given.iter().copied())
        )));
    }
    Ok(open)
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Puts calls that waited together with what was given for them, if it may be given.
    pub(super) fn plan_resumed(&self, calls: Vec<ToolCallPart>, results: &DeferredToolResults) -> Result<Vec<Planned>> {
        let plan = |call: ToolCallPart| Planned::answered(self.tools.target(&call.tool_name), call, results);
        calls.into_iter().map(plan).collect()
    }

    /// Runs calls that waited, or answers them with what was given.
    pub(super) async fn run_resumed(&mut self, planned: &[Planned], turn: &mut Turn<O>) -> Result<()> {
        let planned: Vec<_> = planned.iter().collect();
        // A decision is one on a call of the run, whatever it says; a result is of a call that ran elsewhere.
        let decided = |planned: &&&Planned| {
            matches!(planned.given, Some(Given::Approved { .. } | Given::Answer { outcome: Outcome::Denied, .. }))
        };
        let decided = planned.iter().filter(decided).count() as u64;
        self.calls_ahead = self.run.meter.reserve_calls(decided)?;
        self.transcript.set_running(true);
        self.run_calls(&planned, turn).await?;
        self.resolve_deferred(turn).await
    }
}
