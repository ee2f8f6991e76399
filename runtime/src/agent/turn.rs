//! What becomes of one response's calls: which run, in which order, and whether the run is done.

use super::EndStrategy;
use super::calls::Planned;
use super::collect::Target;
use super::output::Refused;
use super::state::RunState;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::message::{Metadata, Outcome, RequestPart, RetryInfo, ToolCallPart, ToolContent, ToolReturnPart};
use crate::retry::output_exhausted;

/// Answers that stand for calls nothing was done with, and for outputs.
pub(super) mod status {
    pub(crate) const ACCEPTED: &str = "The final result was accepted.";
    pub(super) const OUTPUT_SKIPPED: &str = "Not used: the final result had been accepted already.";
    pub(super) const OUTPUT_NOT_FINAL: &str = "Processed, but another call gave the final result.";
    pub(super) const OUTPUT_FAILED: &str = "Not used: it did not pass, and another call gave the final result.";
    pub(super) const RETRY_FIRST: &str =
        "Not accepted as the final result yet: first answer the tools that asked for another try.";
    pub(in crate::agent) const NOT_ACCEPTED: &str = "Not run: the response was not accepted.";
    pub(crate) const TOOL_SKIPPED: &str = "Not run: the final result had been accepted already.";
}

/// What has become of a response's calls so far.
pub(super) struct Turn<O> {
    pub(super) parts: Vec<RequestPart>,
    pub(super) winner: Option<Winner<O>>,
    /// A function tool asked for another try: that comes before any output.
    pub(super) retry_asked: bool,
    pub(super) deferred: Vec<Deferred>,
}

pub(super) struct Winner<O> {
    pub(super) output: O,
    /// Where in `parts` its answer is.
    pub(super) place: usize,
}

impl<O> Winner<O> {
    /// An output that is no call's.
    pub(super) fn without_answer(output: O) -> Self {
        Self { output, place: usize::MAX }
    }
}

/// A call that waits for somebody outside.
pub(super) struct Deferred {
    pub(super) call: ToolCallPart,
    pub(super) for_approval: bool,
    pub(super) metadata: Option<Metadata>,
}

/// How a response ends.
pub(super) enum Ending<O> {
    /// The model is to go on from these answers.
    Continue(Vec<RequestPart>),
    /// The run is done; these answers are kept.
    Done(O, Vec<RequestPart>),
}

/// What an output tool made of its call.
enum OutputResult<O> {
    Output(O),
    Retry {
        answer: ToolReturnPart,
        args_valid: bool,
    },
    /// Its budget is used up.
    Exhausted {
        error: Error,
        args_valid: bool,
    },
}

impl<O> Default for Turn<O> {
    fn default() -> Self {
        Self { parts: Vec::new(), winner: None, retry_asked: false, deferred: Vec::new() }
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Does what a response's calls ask for. `turn` keeps what was done, also when it ends in an error.
    pub(super) async fn take_turn(&mut self, calls: Vec<ToolCallPart>, turn: &mut Turn<O>) -> Result<()> {
        let planned: Vec<_> =
            calls.into_iter().map(|call| Planned::new(self.tools.target(&call.tool_name), call)).collect();
        let functions = planned.iter().filter(|planned| planned.runs_at_once()).count() as u64;
        self.calls_ahead = self.run.meter.reserve_calls(functions)?;
        self.transcript.set_running(true);
        match self.agent.end_strategy {
            EndStrategy::Early => self.early(&planned, turn).await?,
            EndStrategy::Graceful => self.graceful(&planned, turn).await?,
            EndStrategy::Exhaustive => self.exhaustive(&planned, turn).await?,
        }
        turn.put_retries_first();
        self.collect_deferred(&planned, turn).await?;
        self.resolve_deferred(turn).await
    }

    /// Output calls first; function tools only if none of them gave an output.
    async fn early(&mut self, planned: &[Planned], turn: &mut Turn<O>) -> Result<()> {
        for (planned, place) in outputs(planned) {
            self.run_output(planned, place, turn).await?;
        }
        let functions: Vec<_> = planned.iter().filter(|planned| planned.runs_at_once()).collect();
        if turn.winner.is_some() {
            functions.into_iter().for_each(|planned| self.skip(planned, turn));
            return Ok(());
        }
        self.run_calls(&functions, turn).await
    }

    /// In the model's order; function tools before an output call run before it.
    async fn graceful(&mut self, planned: &[Planned], turn: &mut Turn<O>) -> Result<()> {
        let mut pending = Vec::new();
        for planned in planned {
            match planned.target {
                Target::Output(place) => {
                    self.run_calls(&std::mem::take(&mut pending), turn).await?;
                    self.run_output(planned, place, turn).await?;
                }
                _ if planned.runs_at_once() => pending.push(planned),
                _ => {}
            }
        }
        self.run_calls(&pending, turn).await
    }

    /// Everything runs; the first output in the model's order counts.
    async fn exhaustive(&mut self, planned: &[Planned], turn: &mut Turn<O>) -> Result<()> {
        let mut results = Vec::new();
        for (planned, place) in outputs(planned) {
            results.push((planned, self.read_output(planned, place).await?));
        }
        let functions: Vec<_> = planned.iter().filter(|planned| planned.runs_at_once()).collect();
        let mut ran = Turn::default();
        let ended = self.run_calls(&functions, &mut ran).await;
        let won = results.iter().any(|(_, result)| matches!(result, OutputResult::Output(_)));
        if ended.is_err() || !won {
            let exhausted = results.iter().position(|(_, result)| matches!(result, OutputResult::Exhausted { .. }));
            if let (Ok(()), Some(place)) = (&ended, exhausted)
                && let OutputResult::Exhausted { error, .. } = results.swap_remove(place).1
            {
                turn.merge(ran);
                return Err(error);
            }
        }
        if ended.is_err() {
            turn.merge(ran);
            return ended;
        }
        self.weave(planned, results, ran, turn);
        Ok(())
    }

    /// Puts the answers of outputs and functions into the model's order; what is for the user comes last.
    fn weave(
        &mut self,
        planned: &[Planned],
        results: Vec<(&Planned, OutputResult<O>)>,
        ran: Turn<O>,
        turn: &mut Turn<O>,
    ) {
        turn.retry_asked = ran.retry_asked;
        turn.deferred = ran.deferred;
        let mut results = results.into_iter().map(|(_, result)| result);
        let mut answers = ran.parts.into_iter().peekable();
        for planned in planned {
            if matches!(planned.target, Target::Output(_)) {
                if let Some(result) = results.next() {
                    self.settle_output(planned, result, turn);
                }
                continue;
            }
            let is_answer = |part: &RequestPart| matches!(part, RequestPart::ToolReturn(answer) if answer.tool_call_id == planned.call.tool_call_id);
            if let Some(answer) = answers.next_if(is_answer) {
                turn.parts.push(answer);
                while let Some(delta) = answers.next_if(|part| matches!(part, RequestPart::ToolAvailabilityDelta(_))) {
                    turn.parts.push(delta);
                }
            }
        }
        turn.parts.extend(answers);
    }

    /// Runs one output call, unless there is an output already.
    async fn run_output(&mut self, planned: &Planned, place: usize, turn: &mut Turn<O>) -> Result<()> {
        if turn.winner.is_some() {
            self.answer_output(planned, answer(&planned.call, status::OUTPUT_SKIPPED), None, turn);
            return Ok(());
        }
        match self.read_output(planned, place).await? {
            OutputResult::Exhausted { error, .. } => Err(error),
            result => {
                self.settle_output(planned, result, turn);
                Ok(())
            }
        }
    }

    fn settle_output(&mut self, planned: &Planned, result: OutputResult<O>, turn: &mut Turn<O>) {
        match result {
            OutputResult::Output(output) if turn.winner.is_none() => {
                turn.winner = Some(Winner { output, place: turn.parts.len() });
                self.answer_output(planned, answer(&planned.call, status::ACCEPTED), Some(true), turn);
            }
            OutputResult::Output(_) => {
                self.answer_output(planned, answer(&planned.call, status::OUTPUT_NOT_FINAL), Some(true), turn);
            }
            OutputResult::Retry { answer, args_valid } => self.answer_output(planned, answer, Some(args_valid), turn),
            OutputResult::Exhausted { args_valid, .. } => {
                self.answer_output(planned, answer(&planned.call, status::OUTPUT_FAILED), Some(args_valid), turn);
            }
        }
    }

    fn answer_output(&mut self, planned: &Planned, part: ToolReturnPart, args_valid: Option<bool>, turn: &mut Turn<O>) {
        if self.is_heard() {
            self.emit(Event::OutputToolCall { call: planned.call.clone(), args_valid });
            self.emit(Event::OutputToolResult { part: part.clone() });
        }
        turn.parts.push(RequestPart::ToolReturn(part));
    }

    /// Makes an output of an output call. An error of the output's own ends the run.
    async fn read_output(&mut self, planned: &Planned, place: usize) -> Result<OutputResult<O>> {
        let tool = self.tools.outputs[place].clone();
        let max_retries = tool.max_retries().unwrap_or_else(|| self.retries.output_budget());
        let call = &planned.call;
        let mut span = self.trace.output(call);
        let whose = || format!("output tool `{}`", call.tool_name);
        let contexts = |state: &Self| state.output_call_contexts(call, max_retries);
        let made = self.make_output(whose, || tool.read(&call.args), contexts, &mut span).await;
        let result = made.map(|made| self.judge_output(call, max_retries, made));
        match &result {
            Ok(OutputResult::Output(_)) => span.succeeded(),
            Ok(OutputResult::Retry { answer, .. }) => span.retried(answer),
            Ok(OutputResult::Exhausted { error, .. }) | Err(error) => span.failed(error),
        }
        result
    }

    /// What comes of an output call, as long as its tool's budget lasts.
    fn judge_output(
        &mut self,
        call: &ToolCallPart,
        max_retries: u32,
        made: std::result::Result<O, Refused>,
    ) -> OutputResult<O> {
        let refused = match made {
            Ok(output) => {
                self.ledger.succeeded(&call.tool_name);
                return OutputResult::Output(output);
            }
            Err(refused) => refused,
        };
        let args_valid = refused.was_read();
        match self.ledger.failed(&call.tool_name, max_retries, refused.source) {
            Ok(attempt) => {
                self.ledger.output_tool_failed();
                let answer = ToolReturnPart::answer(call, ToolContent::Json(refused.content), Outcome::Retried)
                    .with_retry(RetryInfo::new(refused.cause, attempt, max_retries));
                OutputResult::Retry { answer, args_valid }
            }
            Err(cause) => {
                let error = self.cut_short().unwrap_or_else(|| output_exhausted(max_retries)).with_source(cause);
                OutputResult::Exhausted { error, args_valid }
            }
        }
    }

    /// Answers a call that is not run, as the run is done.
    pub(super) fn skip(&mut self, planned: &Planned, turn: &mut Turn<O>) {
        let part = answer(&planned.call, status::TOOL_SKIPPED);
        if self.is_heard() {
            self.emit(Event::FunctionToolCall { call: planned.call.clone(), args_valid: None });
            self.emit(Event::FunctionToolResult { part: part.clone() });
        }
        turn.parts.push(RequestPart::ToolReturn(part));
    }
}

impl<O> Turn<O> {
    /// A function tool that asked for another try comes before the output.
    fn put_retries_first(&mut self) {
        if !self.retry_asked {
            return;
        }
        if let Some(winner) = self.winner.take()
            && let Some(RequestPart::ToolReturn(part)) = self.parts.get_mut(winner.place)
        {
            part.content = ToolContent::text(status::RETRY_FIRST);
        }
    }

    /// Whether a call of this id is answered.
    pub(super) fn answers(&self, id: &str) -> bool {
        self.parts.iter().any(|part| matches!(part, RequestPart::ToolReturn(answer) if answer.tool_call_id == id))
    }

    fn merge(&mut self, other: Self) {
        self.parts.extend(other.parts);
        self.deferred.extend(other.deferred);
        self.retry_asked |= other.retry_asked;
    }

    pub(super) fn end(self) -> Ending<O> {
        match self.winner {
            Some(winner) => Ending::Done(winner.output, self.parts),
            None => Ending::Continue(self.parts),
        }
    }
}

fn outputs(planned: &[Planned]) -> impl Iterator<Item = (&Planned, usize)> {
    planned.iter().filter_map(|planned| match planned.target {
        Target::Output(place) => Some((planned, place)),
        _ => None,
    })
}

pub(super) fn answer(call: &ToolCallPart, text: &str) -> ToolReturnPart {
    ToolReturnPart::answer(call, ToolContent::text(text), Outcome::Success)
}
