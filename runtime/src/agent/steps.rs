//! The run: step after step, until there is an output.

use std::sync::Arc;

use super::hooks::{Asking, any_around, whose};
use super::nested::within_depth;
use super::resume::{Start, start};
use super::run::RunOptions;
use super::state::{RunState, Stop};
use super::turn::{Ending, Turn, Winner, answer, status};
use super::{AgentShared, Instructions, RunResult};
use crate::capability::{Capability, Entry, HookResult, NextRequest, catalog};
use crate::choice;
use crate::context::{RunContext, StepShared};
use crate::deferred::DeferredToolResults;
use crate::discovery::Discovery;
use crate::error::{BoxError, Error, Result};
use crate::json::Json;
use crate::message::{
    FinishReason, Message, MessageState, ModelRequest, ModelResponse, Prompt, RequestPart, ResponsePart, RetryCause,
    RetryFeedbackPart, RetryInfo, ToolCallPart, UserPromptPart,
};
use crate::model::{Model, ModelInput, ModelSettings};
use crate::panics::catch_future;
use crate::tool::{CallFailure, Signal, ToolDefinition};
use crate::transcript::{StartsWith, Transcript};

/// Runs the agent to its output.
pub(super) async fn run<D: Send + Sync + 'static, O: Send + 'static>(
    agent: Arc<AgentShared<D, O>>,
    deps: Arc<D>,
    mut options: RunOptions<D>,
) -> Result<RunResult<O>> {
    let prompt = options.prompt.take();
    let results = options.results.take();
    let history = std::mem::take(&mut options.history);
    let starts_with = match (&results, &prompt) {
        (Some(_), _) => StartsWith::Answers,
        (None, Some(_)) => StartsWith::Prompt,
        (None, None) => StartsWith::Nothing,
    };
    let transcript = Transcript::new(&history, starts_with, options.record.take());
    let mut state = RunState::new(agent, deps, options, transcript)?;
    let span = state.trace.run(&state.model);
    let ended = span.around(within_depth(state.run(prompt, results))).await;
    let ended = match state.run.events.take_failure() {
        Some(panic) => Err(Error::tool("the run's event listener failed", panic)),
        None => ended,
    };
    span.end(ended.as_ref().err());
    match ended {
        Ok(output) => Ok(RunResult {
            output,
            new_from: state.transcript.new_from(),
            history: state.transcript.history().clone(),
            usage: state.run.meter.used(),
            steps: state.reports,
            run_id: state.run.run_id.clone(),
        }),
        Err(error) => Err(error.with_history(state.transcript.history().clone())),
    }
}

/// What asking the model comes to.
enum Asked {
    Response(ModelResponse),
    /// A hook wants another response, to this message; the model's own is told, where it gave one.
    Rejected {
        response: Option<ModelResponse>,
        message: String,
    },
}

/// What a step comes to.
pub(super) enum Next<O> {
    Request(ModelRequest),
    Done(O),
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    async fn run(&mut self, prompt: Option<Prompt>, results: Option<DeferredToolResults>) -> Result<O> {
        self.check_settings()?;
        let mut next = match start(self.transcript.history(), prompt, results)? {
            Start::Request(request) => Next::Request(self.with_unsent(request)),
            Start::Calls { calls, results, prompt } => self.resume(calls, results, prompt).await?,
            Start::Response(response) => {
                self.begin_step(1).await?;
                self.handle(&response).await?
            }
        };
        loop {
            match next {
                Next::Done(output) => return Ok(output),
                Next::Request(request) => next = self.step(request).await?,
            }
        }
    }

    /// Refuses settings with which the run could never end.
    fn check_settings(&self) -> Result<()> {
        let outputs: Vec<ToolDefinition> =
            self.agent.output.tools.iter().map(|tool| crate::toolset::Defined::definition(tool).clone()).collect();
        let layers = [self.model.settings(), Some(&self.agent.settings), Some(&self.run_settings)];
        layers
            .into_iter()
            .flatten()
            .try_for_each(|settings| choice::check_static(settings.tool_choice.as_ref(), &outputs))
    }

    /// A request that was never answered is sent again, with what is new.
    fn with_unsent(&mut self, request: ModelRequest) -> ModelRequest {
        if !request.parts.is_empty() {
            return request;
        }
        match self.transcript.pop_request() {
            Some(mut unsent) => {
                unsent.state = MessageState::Complete;
                unsent
            }
            None => request,
        }
    }

    /// Runs or answers the calls that wait in the history.
    async fn resume(
        &mut self,
        calls: Vec<ToolCallPart>,
        results: Option<DeferredToolResults>,
        prompt: Option<Prompt>,
    ) -> Result<Next<O>> {
        // Answers from outside come before the run's first step; calls that nobody has looked at are part of it.
        self.begin_step(if results.is_some() { 0 } else { 1 }).await?;
        self.settings = self.step_settings(&self.context(self.retries.tool_budget())).await?;
        self.report_step();
        let mut turn = Turn::default();
        let ended = match &results {
            Some(results) => {
                // What is misuse is found before anything runs, and leaves the history as it was.
                let planned = self.plan_resumed(calls, results)?;
                self.run_resumed(&planned, &mut turn).await
            }
            None => self.take_turn(calls, &mut turn).await,
        };
        if ended.is_ok() {
            // Also when calls wait again: nobody would say it a second time.
            turn.parts.extend(prompt.map(|prompt| RequestPart::UserPrompt(UserPromptPart::new(prompt))));
        }
        self.end_turn(turn, ended)
    }

    /// One request to the model, and what its response asks for.
    async fn step(&mut self, request: ModelRequest) -> Result<Next<O>> {
        self.transcript.push(ModelRequest { run_id: Some(self.run.run_id.clone()), ..request });
        if !self.has_asked {
            self.transcript.close_frontier();
        }
        // Calls that were resumed belong to the first step, whose tools are known then.
        let number = if self.has_asked { self.step.number + 1 } else { 1 };
        self.begin_step(number).await?;
        let ctx = self.context(self.retries.tool_budget());
        let instructions = self.instructions(&ctx).await?;
        self.transcript.edit_last_request(|request| request.instructions.clone_from(&instructions));
        self.settings = self.step_settings(&ctx).await?;
        self.report_step();
        self.process_history(&ctx).await?;
        self.announce_newcomers();
        let asked = self.ask(&ctx, instructions).await?;
        self.has_asked = true;
        let response = match asked {
            Asked::Response(response) => self.transcript.push(response),
            Asked::Rejected { response, message } => return self.ask_again(response, message).map(Next::Request),
        };
        // What a provider has found itself can be called in the same response.
        self.discovery.update(self.transcript.history());
        // Tools see the response whose calls they are.
        let history = self.transcript.seen().clone();
        self.step = Arc::new(StepShared { history, ..(*self.step).clone() });
        self.run.meter.check_tokens()?;
        self.handle(&response).await
    }

    /// Collects the tools of a step.
    async fn begin_step(&mut self, number: u32) -> Result<()> {
        let known = self.tools.are_collected() && self.step.number == number;
        if !known {
            self.ledger.next_step();
        }
        let has_found = self.discovery.update(self.transcript.history());
        let has_loaded = has_found && self.activate();
        let known = known && !has_loaded;
        let mut step = StepShared {
            number,
            discovered: self.discovery.names(),
            loaded: self.discovery.loaded(),
            history: self.transcript.seen().clone(),
            tools: self.step.tools.clone(),
            retries: self.ledger.counts(),
            tool_budget: self.retries.tool_budget(),
        };
        if !known {
            self.step = Arc::new(step.clone());
            let stop = self.stop();
            stop.unless_stopped(self.collect_tools()).await??;
            step.tools = self.tools.definitions.clone();
        } else {
            self.show_found();
        }
        self.step = Arc::new(step);
        Ok(())
    }

    /// Takes up the capabilities that the model has loaded; whether there are new ones.
    fn activate(&mut self) -> bool {
        let before = self.active.len();
        if self.capabilities.load().is_some() {
            self.active = self.capabilities.active(&self.discovery);
        }
        self.active.len() != before
    }

    /// What the model is told to do. What is loaded on demand says so when it is loaded.
    async fn instructions(&mut self, ctx: &RunContext<D>) -> Result<Option<String>> {
        let failed = |error| Error::tool("the agent's `instructions_fn` failed", error);
        let own = Instructions::joined(&self.agent.instructions, ctx);
        let own = self.stop().unless_stopped(own).await?.map_err(failed)?;
        let mut texts: Vec<String> = own.into_iter().chain(catalog(self.capabilities.all())).collect();
        for entry in self.active.clone().iter().filter(|entry| entry.hooks().context && entry.load_id().is_none()) {
            texts.extend(hook(&self.stop(), entry, entry.capability().instructions(ctx)).await?);
        }
        texts.retain(|text| !text.is_empty());
        Ok((!texts.is_empty()).then(|| texts.join("\n\n")))
    }

    async fn step_settings(&mut self, ctx: &RunContext<D>) -> Result<ModelSettings> {
        let mut settings =
            self.model.settings().map_or_else(|| self.agent.settings.clone(), |own| own.merged(&self.agent.settings));
        for entry in self.active.clone().iter().filter(|entry| entry.hooks().context) {
            settings = settings.merged(&hook(&self.stop(), entry, entry.capability().settings(ctx)).await?);
        }
        Ok(settings.merged(&self.run_settings))
    }

    /// Lets the capabilities edit the conversation that is about to be sent.
    async fn process_history(&mut self, ctx: &RunContext<D>) -> Result<()> {
        let mut is_edited = false;
        for entry in self.active.clone().iter().filter(|entry| entry.hooks().process_history) {
            let before = self.transcript.seen().clone();
            let after = hook(&self.stop(), entry, entry.capability().process_history(ctx, before.clone())).await?;
            if !matches!(after.last(), Some(Message::Request(_))) {
                return Err(Error::misuse(format!(
                    "{} returned a history that does not end with a request; keep the newest message, which is about to be sent",
                    entry.label()
                )));
            }
            if after.len() != before.len() || after.shared_with(&before) != before.len() {
                self.transcript.replace(after, &self.run.run_id);
                is_edited = true;
            }
        }
        if is_edited {
            // What is dropped was never found, as far as later steps know.
            self.discovery = Discovery::default();
            self.discovery.update(self.transcript.history());
            self.activate();
            self.show_found();
            self.step = Arc::new(StepShared {
                history: self.transcript.seen().clone(),
                discovered: self.discovery.names(),
                loaded: self.discovery.loaded(),
                ..(*self.step).clone()
            });
        }
        Ok(())
    }

    /// Asks the model, by way of the hooks around it.
    async fn ask(&mut self, ctx: &RunContext<D>, instructions: Option<String>) -> Result<Asked> {
        self.native_tools.check_replaced(self.tools.definitions.iter(), &self.model)?;
        self.check_file_output()?;
        let format = self.output_format()?;
        let formatted = format.as_ref().and_then(|format| format.instructions());
        let instructions = match (instructions, formatted) {
            (Some(own), Some(formatted)) => Some(format!("{own}\n\n{formatted}")),
            (own, formatted) => own.or(formatted),
        };
        let input = ModelInput {
            history: self.transcript.seen().clone(),
            instructions,
            function_tools: self.tools.offered.clone(),
            hidden_tools: self.tools.hidden.clone(),
            deferred_tools: self.tools.deferred.clone(),
            search_strategy: self.capabilities.tool_search().strategy(),
            native_tools: self.native_tools.there.clone(),
            output_tools: self.tools.output_definitions.clone(),
            allow_text: self.agent.output.allows_text(),
            allow_files: self.agent.output.file.is_some(),
            output_format: format,
            settings: self.settings.clone(),
        };
        let stop = self.stop();
        let tools = &self.tools;
        let mut asking = Asking {
            model: &self.model,
            cache: &mut self.cache,
            run: &self.run,
            trace: &self.trace,
            mark_kind: &|call| tools.mark_kind(call),
            requests: 0,
            answered: None,
            told_output: false,
            failed: None,
        };
        let asked = if any_around(&self.active) {
            let mut chain = NextRequest::new(&self.active, ctx, &mut asking);
            stop.unless_stopped(catch_future(chain.run(input))).await?.and_then(|asked| asked)
        } else {
            stop.unless_stopped(asking.whole(&input)).await?.map_err(BoxError::from)
        };
        let Asking { requests, answered, failed, .. } = asking;
        let moved = std::mem::take(&mut self.cache.moved);
        let unstable = (self.agent.stable_prefix && !moved.is_empty()).then(|| moved.join("; "));
        if let Some(report) = self.reports.last_mut() {
            report.notes = self.cache.take_notes();
            report.moved = moved;
        }
        if let Some(moved) = unstable {
            return Err(Error::misuse(format!(
                "step {} changes what the provider has cached of the step before: {moved}; `AgentBuilder::stable_prefix` \
                 forbids that",
                self.step.number
            )));
        }
        let error = match asked {
            Ok(response) => {
                if requests == 0 {
                    // A hook that answers itself must not do so without end.
                    self.run.meter.reserve_request()?.request_done(&response);
                }
                return Ok(Asked::Response(self.completed(response)));
            }
            Err(error) => error,
        };
        let hook_failed = |error: BoxError| {
            let whose = failed.as_deref().unwrap_or_else(|| whose(&self.active));
            Error::tool(format!("the hook of {whose} around the model request failed"), error)
        };
        match CallFailure::from(error) {
            CallFailure::Signal(Signal::Retry(message)) => {
                Ok(Asked::Rejected { response: answered.map(|response| self.completed(response)), message })
            }
            CallFailure::Signal(signal) => Err(hook_failed(signal.into())),
            CallFailure::Other(error) => Err(error.downcast::<Error>().map_or_else(hook_failed, |own| *own)),
        }
    }

    /// A response with what the run knows of it.
    fn completed(&self, mut response: ModelResponse) -> ModelResponse {
        for part in &mut response.parts {
            if let ResponsePart::ToolCall(call) = part {
                call.ensure_id();
                self.tools.mark_kind(call);
            }
        }
        response.run_id = Some(self.run.run_id.clone());
        response
    }

    /// Tells the model what a hook has against its response, as long as the budget lasts.
    fn ask_again(&mut self, response: Option<ModelResponse>, message: String) -> Result<ModelRequest> {
        let max_retries = self.retries.output_budget();
        let mut parts = Vec::new();
        let has_response = response.is_some();
        if let Some(response) = response {
            parts.extend(response.tool_calls().map(|call| RequestPart::ToolReturn(answer(call, status::NOT_ACCEPTED))));
            self.transcript.push(response);
        }
        let within_limits = self.run.meter.check_tokens();
        let attempt = match within_limits.and_then(|()| self.ledger.output_failed(max_retries, message.clone())) {
            Ok(attempt) => attempt,
            Err(error) => {
                if has_response {
                    // Nobody takes up later what was rejected.
                    let mut request = ModelRequest::new(parts);
                    request.state = MessageState::Interrupted;
                    request.run_id = Some(self.run.run_id.clone());
                    self.transcript.push(request);
                }
                return Err(error);
            }
        };
        let retry = RetryInfo::new(RetryCause::ModelRetry, attempt, max_retries);
        parts.push(RequestPart::RetryFeedback(RetryFeedbackPart::new(message.as_str(), retry)));
        Ok(ModelRequest::new(parts))
    }

    /// What a response comes to: its calls first, then its text.
    async fn handle(&mut self, message: &Message) -> Result<Next<O>> {
        let Message::Response(response) = message else {
            return self.ask_for_output().map(Next::Request);
        };
        let calls: Vec<_> = response.tool_calls().cloned().collect();
        if !calls.is_empty() {
            let mut turn = Turn::default();
            let ended = match self.early_output(response, &calls).await {
                Ok(output) => {
                    turn.winner = output.map(Winner::without_answer);
                    self.take_turn(calls, &mut turn).await
                }
                Err(error) => Err(error),
            };
            return self.end_turn(turn, ended);
        }
        if let Some((output, file)) = self.file_of(response) {
            return self.file(output, file).await;
        }
        let text = text_of(response);
        if text.is_empty() {
            self.check_finish(response)?;
        } else if self.agent.output.object.is_some() {
            return self.structured(response, &text).await;
        }
        if text.is_empty() { self.ask_for_output().map(Next::Request) } else { self.text(text).await }
    }

    /// The error for a response that holds nothing, for a reason that asking again would only meet again.
    fn check_finish(&self, response: &ModelResponse) -> Result<()> {
        let model = self.model.name();
        match response.finish_reason {
            Some(FinishReason::Length) => Err(Error::model_behavior(format!(
                "model `{model}` reached the token limit ({}) before it answered; raise `max_tokens`, or ask for less",
                self.token_limit()
            ))),
            Some(FinishReason::ContentFilter) => {
                let details = response.provider_details.as_ref().map(Json::to_value).unwrap_or_default();
                let said =
                    ["refusal", "finish_reason", "block_reason"].iter().find_map(|key| details.get(*key)?.as_str());
                let said = said.map_or_else(String::new, |said| format!(": {said}"));
                Err(Error::model_behavior(format!("the content filter of model `{model}` stopped its response{said}")))
            }
            _ => Ok(()),
        }
    }

    /// Keeps what was done with a response's calls.
    fn end_turn(&mut self, turn: Turn<O>, ended: Result<()>) -> Result<Next<O>> {
        self.transcript.set_running(false);
        self.calls_ahead = self.run.meter.no_room();
        if let Err(error) = ended {
            // Also when nothing was answered: it says that nobody will answer the calls.
            let mut request = ModelRequest::new(turn.parts);
            request.state = MessageState::Interrupted;
            request.run_id = Some(self.run.run_id.clone());
            self.transcript.push(request);
            return Err(error);
        }
        match turn.end() {
            Ending::Continue(parts) => Ok(Next::Request(ModelRequest::new(parts))),
            Ending::Done(output, parts) => {
                if !parts.is_empty() {
                    let request = ModelRequest::new(parts);
                    self.transcript.push(ModelRequest { run_id: Some(self.run.run_id.clone()), ..request });
                }
                Ok(Next::Done(output))
            }
        }
    }

    /// Tells the model what its response could have been, as long as the budget lasts.
    pub(super) fn ask_for_output(&mut self) -> Result<ModelRequest> {
        let mut ways = Vec::new();
        if self.agent.output.allows_text() {
            ways.push("answer with text".to_owned());
        }
        if !self.tools.output_definitions.is_empty() {
            ways.push("give your answer by calling an output tool".to_owned());
        } else if !self.tools.is_empty() {
            ways.push("call a tool".to_owned());
        }
        if let Some(file) = &self.agent.output.file {
            ways.push(format!("answer with {}", file.wanted()));
        }
        let message = format!("Your response held no answer. Please {}.", ways.join(" or "));
        let max_retries = self.retries.output_budget();
        let attempt = self.ledger.output_failed(max_retries, message.clone())?;
        let feedback =
            RetryFeedbackPart::new(message.as_str(), RetryInfo::new(RetryCause::NoOutput, attempt, max_retries));
        Ok(ModelRequest::new(vec![RequestPart::RetryFeedback(feedback)]))
    }
}

/// What a hook of a capability comes to.
async fn hook<D: Send + Sync + 'static, T>(
    stop: &Stop<D>,
    entry: &Entry<D>,
    hook: impl Future<Output = HookResult<T>>,
) -> Result<T> {
    let ended = stop.unless_stopped(catch_future(hook)).await?.and_then(|ended| ended);
    ended.map_err(|error| Error::tool(format!("{} failed", entry.label()), error))
}

/// The text that can be an output: what stands before a provider's own tool ran is commentary, unless nothing follows.
pub(super) fn text_of(response: &ModelResponse) -> String {
    let mut text = String::new();
    let mut before = String::new();
    for part in &response.parts {
        match part {
            ResponsePart::Text(part) => text.push_str(&part.content),
            ResponsePart::BuiltinToolCall(_) if !text.is_empty() => before = std::mem::take(&mut text),
            _ => {}
        }
    }
    if text.is_empty() { before } else { text }
}
