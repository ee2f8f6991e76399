//! One call: what it leads to, and whether its arguments pass.

use std::sync::Arc;

use super::collect::Target;
use super::hooks::{Reading, any_around, args_error, whose};
use super::state::RunState;
use super::turn::{Deferred, Turn};
use crate::capability::{LOAD_TOOL, NextToolValidation, ToolInvocation};
use crate::context::{CallShared, RunContext};
use crate::deferred::{Approval, DeferredResult, DeferredToolResults, fingerprint};
use crate::error::{BoxError, Error, ErrorKind, Result, kind_of_run_error};
use crate::event::Event;
use crate::json::Json;
use crate::message::{
    Arguments, FinishReason, Message, Outcome, Prompt, RequestPart, ResponsePart, RetryCause, RetryInfo,
    ToolAvailabilityDeltaPart, ToolCallPart, ToolContent, ToolReturnPart, UserPromptPart,
};
use crate::panics::catch_future;
use crate::tool::{CallFailure, CallKind, ReadArgs, Signal, Tool, ToolReturn};
use crate::wording::shortened;

/// A call, and what its name leads to in this step.
pub(super) struct Planned {
    pub(super) call: ToolCallPart,
    pub(super) target: Target,
    pub(super) given: Option<Given>,
}

/// What somebody outside said to a call.
pub(super) enum Given {
    Approved { args: Option<Arguments>, metadata: Option<Json> },
    Answer { outcome: Outcome, result: ToolReturn, retry: Option<RetryInfo> },
}

impl Given {
    /// What `results` say to the call.
    fn for_call(call: &ToolCallPart, results: &DeferredToolResults) -> Option<Self> {
        let answer = |outcome, text: &str| Self::Answer {
            outcome,
            result: ToolReturn::new(ToolContent::text(text)),
            retry: None,
        };
        let id = &call.tool_call_id;
        match (results.approvals.get(id), results.calls.get(id)) {
            (Some(Approval::Denied(message)), _) => Some(answer(Outcome::Denied, message)),
            (Some(approval), _) => {
                Some(Self::Approved { args: approval.override_args(), metadata: results.metadata.get(id).cloned() })
            }
            (None, Some(DeferredResult::Return(result))) => {
                Some(Self::Answer { outcome: Outcome::Success, result: result.clone(), retry: None })
            }
            (None, Some(DeferredResult::Failed(message))) => Some(answer(Outcome::Failed, message)),
            (None, Some(DeferredResult::Retry(message))) => Some(Self::Answer {
                outcome: Outcome::Retried,
                result: ToolReturn::new(ToolContent::text(message)),
                retry: Some(RetryInfo { cause: RetryCause::ModelRetry, attempt: None, max_retries: None }),
            }),
            (None, None) => None,
        }
    }

    /// Whether `results` may say this to the call: see decision 3.
    fn check(call: &ToolCallPart, kind: Option<CallKind>, results: &DeferredToolResults) -> Result<()> {
        let id = &call.tool_call_id;
        let name = &call.tool_name;
        let approval = results.approvals.get(id);
        match (kind, approval) {
            (Some(CallKind::External), Some(_)) => Err(Error::misuse(format!(
                "the call `{id}` of tool `{name}` runs elsewhere, so there is nothing to approve; give its result"
            ))),
            (Some(CallKind::Unapproved), None) if results.calls.contains_key(id) => Err(Error::misuse(format!(
                "the call `{id}` of tool `{name}` waits for approval, not for a result; approve or deny it"
            ))),
            (_, Some(Approval::Approved { fingerprint: Some(shown), .. })) if *shown != fingerprint(call) => {
                Err(Error::misuse(format!(
                    "the call `{id}` of tool `{name}` is not the one that was approved: its arguments have changed since; \
                     show it again"
                )))
            }
            _ => Ok(()),
        }
    }
}

impl Planned {
    pub(super) fn new(target: Target, call: ToolCallPart) -> Self {
        Self { call, target, given: None }
    }

    /// A call with what `results` say to it, if they may.
    pub(super) fn answered(target: Target, call: ToolCallPart, results: &DeferredToolResults) -> Result<Self> {
        let mut planned = Self::new(target, call);
        Given::check(&planned.call, planned.kind(), results)?;
        planned.given = Given::for_call(&planned.call, results);
        Ok(planned)
    }

    /// The arguments that the call was made with, or those it was approved with.
    fn args(&self) -> &Arguments {
        match &self.given {
            Some(Given::Approved { args: Some(args), .. }) => args,
            _ => &self.call.args,
        }
    }

    pub(super) fn kind(&self) -> Option<CallKind> {
        match self.target {
            Target::Function(_, kind) => Some(kind),
            _ => None,
        }
    }

    /// Whether it runs in this step without anybody's leave; calls of unknown tools do, and are refused.
    pub(super) fn runs_at_once(&self) -> bool {
        match self.target {
            Target::Output(_) => false,
            Target::Unknown => true,
            Target::Function(_, kind) => !matches!(kind, CallKind::External | CallKind::Unapproved),
        }
    }
}

/// A call whose arguments were looked at.
pub(super) enum Checked<D> {
    Ready { tool: Tool<D>, ctx: RunContext<D>, args: Arguments, read: ReadArgs },
    Answered(Answer),
    Deferred(Deferred),
}

/// What answers a call.
pub(super) struct Answer {
    pub(super) part: ToolReturnPart,
    pub(super) content: Option<Prompt>,
    pub(super) reveal: Vec<String>,
}

impl From<ToolReturnPart> for Answer {
    fn from(part: ToolReturnPart) -> Self {
        Self { part, content: None, reveal: Vec::new() }
    }
}

impl Answer {
    /// All of it, for a record of a step that goes on.
    pub(super) fn parts(&self) -> Vec<RequestPart> {
        let mut parts = vec![RequestPart::ToolReturn(self.part.clone())];
        if !self.reveal.is_empty() {
            let delta = ToolAvailabilityDeltaPart::new(self.reveal.clone(), Some(self.part.tool_call_id.clone()));
            parts.push(RequestPart::ToolAvailabilityDelta(delta));
        }
        parts.extend(self.content.clone().map(|content| RequestPart::UserPrompt(UserPromptPart::new(content))));
        parts
    }

    pub(super) fn new(call: &ToolCallPart, outcome: Outcome, result: ToolReturn) -> Self {
        let ToolReturn { value, content, metadata, reveal } = result;
        let mut part = ToolReturnPart::answer(call, value, outcome);
        part.metadata = metadata.map(|metadata| serde_json::Value::Object(metadata).into());
        Self { part, content, reveal }
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Looks at a call's arguments, and tells that it was made.
    pub(super) async fn check(&mut self, planned: &Planned) -> Result<Checked<D>> {
        let checked = self.check_quietly(planned).await;
        let args_valid = match (&planned.given, &checked) {
            (Some(Given::Answer { .. }), _) => None,
            (_, Ok(Checked::Ready { .. } | Checked::Deferred(_))) => Some(true),
            (_, Ok(Checked::Answered(_))) => Some(false),
            (_, Err(error)) if error.kind() == ErrorKind::ModelBehavior => Some(false),
            // The run ends for another reason than the arguments.
            (_, Err(_)) => return checked,
        };
        if self.is_heard() {
            self.emit(Event::FunctionToolCall { call: planned.call.clone(), args_valid });
        }
        checked
    }

    pub(super) async fn check_quietly(&mut self, planned: &Planned) -> Result<Checked<D>> {
        let (approved, metadata) = match &planned.given {
            Some(Given::Answer { outcome, result, retry }) => {
                let mut answer = Answer::new(&planned.call, *outcome, result.clone());
                answer.part.retry.clone_from(retry);
                return Ok(Checked::Answered(answer));
            }
            Some(Given::Approved { metadata, .. }) => (true, metadata.clone()),
            None => (false, None),
        };
        let call = &planned.call;
        let Target::Function(place, _) = planned.target else {
            return self.refuse_unknown(call).map(Checked::Answered);
        };
        let tool = self.tools.functions[place].clone();
        if !self.discovery.is_open(tool.definition()) {
            return self.refuse_hidden(&tool, call).map(Checked::Answered);
        }
        let ctx = self.call_context(&tool, call, approved, metadata);
        let checked = self.validate(tool, call, planned.args().clone(), ctx).await;
        match &checked {
            Ok(Checked::Answered(answer)) => self.trace.invalid_call(call, planned.args()).answered(&answer.part),
            Err(error) if !error.is_cancelled() => self.trace.invalid_call(call, planned.args()).failed(error),
            _ => {}
        }
        checked
    }

    /// Looks at a call's arguments, by way of the hooks around that.
    async fn validate(
        &mut self,
        tool: Tool<D>,
        call: &ToolCallPart,
        args: Arguments,
        ctx: RunContext<D>,
    ) -> Result<Checked<D>> {
        let mut reading = Reading::new(&tool, &ctx);
        let stop = self.stop();
        let mut verdict = if any_around(&self.active) {
            let invocation = ToolInvocation { call, tool: tool.definition(), args: args.clone() };
            let mut chain = NextToolValidation::new(&self.active, &ctx, &mut reading);
            stop.unless_stopped(catch_future(chain.run(invocation))).await?.and_then(|verdict| verdict)
        } else {
            stop.unless_stopped(reading.check(args.clone())).await?
        };
        if verdict.is_ok() && !reading.has_read() {
            verdict = reading.only_read(args);
        }
        let (read, panic) = reading.finish();
        if let Some(panic) = panic {
            return Err(Error::tool(format!("reading the arguments of tool `{}` failed", call.tool_name), panic));
        }
        match (verdict, read) {
            (Ok(()), Some((args, read))) => Ok(Checked::Ready { tool, ctx, args, read }),
            (Ok(()), None) => unreachable!("arguments that pass were read"),
            (Err(error), read) => self.invalid(&tool, call, error, read.is_some()),
        }
    }

    /// What becomes of a call whose arguments do not pass. `was_read` says whether they are such as the tool takes.
    fn invalid(&mut self, tool: &Tool<D>, call: &ToolCallPart, error: BoxError, was_read: bool) -> Result<Checked<D>> {
        if !was_read && let Some(own) = args_error(&*error) {
            let content = ToolContent::Json(own.to_json());
            return self.retry(tool, call, RetryCause::ValidationError, content, error).map(Checked::Answered);
        }
        let checked = self.failure(tool, call, error, "the argument validator of tool")?;
        if matches!(checked, Checked::Deferred(_)) && !was_read {
            return Err(Error::misuse(format!(
                "{} lets a call of tool `{}` wait before its arguments were checked; run `next` first",
                whose(&self.active),
                call.tool_name
            )));
        }
        Ok(checked)
    }

    fn call_context(
        &self,
        tool: &Tool<D>,
        call: &ToolCallPart,
        approved: bool,
        metadata: Option<Json>,
    ) -> RunContext<D> {
        RunContext::new(self.run.clone(), self.step.clone()).for_call(CallShared {
            tool_name: Some(tool.inner().name.clone()),
            tool_call_id: Some(Arc::from(call.tool_call_id.as_str())),
            retry: self.ledger.count(&call.tool_name),
            max_retries: self.max_retries(tool),
            approved,
            metadata,
            naming: None,
            toolset: None,
        })
    }

    pub(super) fn max_retries(&self, tool: &Tool<D>) -> u32 {
        tool.inner().max_retries.unwrap_or_else(|| self.retries.tool_budget())
    }

    fn refuse_unknown(&mut self, call: &ToolCallPart) -> Result<Answer> {
        let name = &call.tool_name;
        let quoted: Vec<_> = self.tools.callable_names().iter().map(|name| format!("'{name}'")).collect();
        let known = match quoted.as_slice() {
            [] => "There are no tools to call.".to_owned(),
            names => format!("The tools you can call: {}.", names.join(", ")),
        };
        let message = format!("There is no tool named '{}'. {known}", shortened(name, 200));
        let max_retries = self.retries.tool_budget();
        let attempt = self.charge(name, max_retries, message.clone().into())?;
        let part = ToolReturnPart::answer(call, ToolContent::text(&message), Outcome::Retried);
        Ok(part.with_retry(RetryInfo::new(RetryCause::UnknownTool, attempt, max_retries)).into())
    }

    /// Sends the model to search first. Once per tool and run this costs nothing: it says what to do, and a budget of one
    /// would be gone before the tool is called as it should be.
    fn refuse_hidden(&mut self, tool: &Tool<D>, call: &ToolCallPart) -> Result<Answer> {
        let name = &call.tool_name;
        let first = match tool.definition().capability_id() {
            Some(id) => format!("load the capability '{id}' with `{LOAD_TOOL}` first"),
            None => "search for it first".to_owned(),
        };
        let message =
            format!("Tool '{name}' is not available yet: {first}, and call it once you have seen what it takes.");
        let content = ToolContent::text(&message);
        if self.refused.insert(name.clone()) {
            let part = ToolReturnPart::answer(call, content, Outcome::Retried);
            let retry = RetryInfo { cause: RetryCause::UnavailableTool, attempt: None, max_retries: None };
            return Ok(part.with_retry(retry).into());
        }
        self.retry(tool, call, RetryCause::UnavailableTool, content, message.into())
    }

    /// Asks the model to try the call again, as long as the tool's budget lasts.
    pub(super) fn retry(
        &mut self,
        tool: &Tool<D>,
        call: &ToolCallPart,
        cause: RetryCause,
        content: ToolContent,
        source: BoxError,
    ) -> Result<Answer> {
        let max_retries = self.max_retries(tool);
        let attempt = self.charge(&call.tool_name, max_retries, source)?;
        let part = ToolReturnPart::answer(call, content, Outcome::Retried);
        Ok(part.with_retry(RetryInfo::new(cause, attempt, max_retries)).into())
    }

    fn charge(&mut self, name: &str, max_retries: u32, source: BoxError) -> Result<u32> {
        self.ledger.failed(name, max_retries, source).map_err(|error| match self.cut_short() {
            Some(cut_short) => cut_short.with_source(error),
            None => error,
        })
    }

    /// What an error of a validator or a tool comes to. `whose` says whose it is, before the tool's name.
    pub(super) fn failure(
        &mut self,
        tool: &Tool<D>,
        call: &ToolCallPart,
        error: BoxError,
        whose: &str,
    ) -> Result<Checked<D>> {
        let deferred =
            |for_approval, metadata| Ok(Checked::Deferred(Deferred { call: call.clone(), for_approval, metadata }));
        match CallFailure::from(error) {
            CallFailure::Signal(Signal::Retry(message)) => {
                let content = ToolContent::text(&message);
                self.retry(tool, call, RetryCause::ModelRetry, content, message.into()).map(Checked::Answered)
            }
            CallFailure::Signal(Signal::Failed(message)) => {
                let part = ToolReturnPart::answer(call, ToolContent::text(&message), Outcome::Failed);
                Ok(Checked::Answered(part.into()))
            }
            CallFailure::Signal(Signal::Approval(metadata)) => deferred(true, metadata),
            CallFailure::Signal(Signal::Deferred(metadata)) => deferred(false, metadata),
            CallFailure::Other(error) => self.other_failure(call, error, whose),
        }
    }

    /// What an error comes to that asks for nothing: the run's end, unless it is that of a run within that was cancelled.
    fn other_failure(&self, call: &ToolCallPart, error: BoxError, whose: &str) -> Result<Checked<D>> {
        let message = format!("{whose} `{}` failed", call.tool_name);
        if kind_of_run_error(&*error) == Some(ErrorKind::Cancelled) {
            // A run within is cancelled with this one, too: then nothing is to be told.
            self.stop().stopped().map_or(Ok(()), Err)?;
            let message = format!("The sub-agent run was cancelled: {error}");
            let part = ToolReturnPart::answer(call, ToolContent::text(&message), Outcome::Failed);
            return Ok(Checked::Answered(part.into()));
        }
        Err(Error::of_function(message, error))
    }

    /// Looks at the call of a tool that always waits, and puts it with those that do.
    pub(super) async fn defer_by_kind(&mut self, planned: &Planned, kind: CallKind, turn: &mut Turn<O>) -> Result<()> {
        match self.check(planned).await? {
            Checked::Ready { .. } => turn.deferred.push(Deferred {
                call: planned.call.clone(),
                for_approval: kind == CallKind::Unapproved,
                metadata: None,
            }),
            Checked::Deferred(deferred) => turn.deferred.push(deferred),
            Checked::Answered(answer) => {
                self.emit(Event::FunctionToolResult { part: answer.part.clone() });
                turn.parts.push(RequestPart::ToolReturn(answer.part));
            }
        }
        Ok(())
    }

    /// The error for a call whose arguments the token limit cut off: asking again would meet the same limit.
    pub(super) fn cut_short(&self) -> Option<Error> {
        let Some(Message::Response(response)) = self.transcript.history().last() else { return None };
        let Some(ResponsePart::ToolCall(call)) = response.parts.last() else { return None };
        let whole = serde_json::from_str::<serde::de::IgnoredAny>(call.args.text()).is_ok();
        if response.finish_reason != Some(FinishReason::Length) || whole {
            return None;
        }
        Some(Error::model_behavior(format!(
            "the token limit ({}) cut off the arguments of a call of tool `{}`; raise `max_tokens`, or ask for less",
            self.token_limit(),
            call.tool_name
        )))
    }

    /// The limit of a response's tokens, for errors.
    pub(super) fn token_limit(&self) -> String {
        self.settings.max_tokens.map_or_else(|| "the provider's".to_owned(), |limit| limit.to_string())
    }
}
