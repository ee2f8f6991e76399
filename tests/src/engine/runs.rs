//! Plays the runs of a case, one after the other.

use serde_json::{Value, json};
use toolwright::message::ToolReturnPart;
use toolwright::{Agent, Event, History};

use super::files::prompt;
use super::log::Log;
use super::models::{Script, Streamed};
use super::observed::{Ending, Observed, Output};
use super::spec::RunSpec;
use crate::server::Server;

/// What the runs of a case share besides their agent.
pub(crate) struct Scene {
    pub(crate) script: Script,
    pub(crate) streamed: Streamed,
    pub(crate) log: Log,
    pub(crate) server: Option<Server>,
}

impl Scene {
    /// Tells the model what it will say in this run.
    pub(crate) fn set(&self, run: &RunSpec) {
        self.script.will_say(&run.replies);
        self.streamed.set(run.stream);
        if let Some(server) = &self.server {
            server.will_say(&run.http);
        }
    }

    /// What came of the run, with what was seen of it.
    pub(crate) fn observed(&self, ending: Ending, history: History, usage: Value) -> Observed {
        let asked = self.server.as_ref().map(Server::was_asked).unwrap_or_default();
        Observed { ending, history, usage, entries: self.log.take(), asked }
    }
}

/// Plays runs. An agent that cannot be built fails each of them.
pub(crate) async fn play_runs<O: Output>(
    agent: toolwright::Result<Agent<Value, O>>,
    runs: &[RunSpec],
    scene: &Scene,
) -> Result<Vec<Observed>, String> {
    let agent = match agent {
        Ok(agent) => agent,
        Err(error) => return Ok(vec![scene.observed(Ending::Failed(error), History::new(), Value::Null)]),
    };
    let mut all: Vec<Observed> = Vec::new();
    for run in runs {
        let previous = all.last().map(|before| before.history.clone()).unwrap_or_default();
        all.push(play_run(&agent, run, run.history(&previous)?, scene).await?);
    }
    Ok(all)
}

async fn play_run<O: Output>(
    agent: &Agent<Value, O>,
    spec: &RunSpec,
    history: History,
    scene: &Scene,
) -> Result<Observed, String> {
    scene.set(spec);
    let text = |error: toolwright::error::BoxError| error.to_string();
    let log = scene.log.clone();
    let run = match &spec.prompt {
        Some(words) => agent.run(prompt(words).map_err(text)?).history(history),
        None => agent.resume(history),
    };
    let mut run = run.deps(spec.deps.clone()).on_event(move |event: &Event| log_event(&log, event));
    if let Some(settings) = &spec.model_settings {
        run = run.settings(settings.0.clone());
    }
    if let Some(retries) = spec.retries.and_then(|budgets| budgets.retries()) {
        run = run.retries(retries);
    }
    if let Some(limits) = spec.usage_limits {
        run = run.limits(limits.limits());
    }
    if let Some(answers) = &spec.deferred_results {
        run = run.results(answers.results().map_err(text)?);
    }
    match run.await {
        Ok(result) => {
            let history = result.history().clone();
            let usage = serde_json::to_value(result.usage()).map_err(|error| error.to_string())?;
            Ok(scene.observed(result.into_output().ending(), history, usage))
        }
        Err(error) => {
            let history = error.history().cloned().unwrap_or_default();
            Ok(scene.observed(Ending::Failed(error), history, Value::Null))
        }
    }
}

/// Logs an event as cases write it.
fn log_event(log: &Log, event: &Event) {
    let (value, id) = match event {
        Event::FunctionToolCall { call, args_valid, .. } => {
            (called("function_tool_call", &call.tool_name, &call.tool_call_id, *args_valid), Some(&call.tool_call_id))
        }
        Event::OutputToolCall { call, args_valid, .. } => {
            (called("output_tool_call", &call.tool_name, &call.tool_call_id, *args_valid), Some(&call.tool_call_id))
        }
        Event::FunctionToolResult { part, .. } => (answered("function_tool_result", part), Some(&part.tool_call_id)),
        Event::OutputToolResult { part, .. } => (answered("output_tool_result", part), Some(&part.tool_call_id)),
        Event::ToolAvailabilityDelta { part, .. } => {
            (json!({"event": "tool_availability_delta", "added": part.tools_added}), None)
        }
        Event::DeferredToolRequests(_) => (json!({"event": "deferred_tool_requests"}), None),
        Event::DeferredToolResults(_) => (json!({"event": "deferred_tool_results"}), None),
        // Cases know of no others.
        _ => return,
    };
    log.event(value, id.map(String::as_str));
}

fn called(event: &str, tool: &str, id: &str, args_valid: Option<bool>) -> Value {
    json!({"event": event, "tool": tool, "id": id, "args_valid": args_valid})
}

fn answered(event: &str, part: &ToolReturnPart) -> Value {
    json!({"event": event, "tool": part.tool_name, "id": part.tool_call_id, "outcome": part.outcome})
}
