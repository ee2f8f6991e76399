//! The agent of a case.

use std::time::Duration;

use serde_json::Value;
use toolwright::error::BoxError;
use toolwright::model::AnyModel;
use toolwright::toolset::FunctionToolset;
use toolwright::{
    Agent, AgentBuilder, DeferredToolRequests, DeferredToolResults, EndStrategy, OutputSpec, OutputTool, RunContext,
    ToolDefinition,
};

use super::deferred::Answers;
use super::direct::play_direct;
use super::edits::{ListEdit, edit_tools};
use super::kinds::KindSpec;
use super::log::Log;
use super::models::{Logged, Script, Streamed, client, provider_model};
use super::observed::Observed;
use super::runs::{Scene, play_runs};
use super::settings::settings_of_step;
use super::spec::{OutputKind, OutputToolSpec, Spec};
use super::tools::{Stage, ToolSpec};
use crate::server::Server;

/// Builds what the case says and plays its runs.
pub(crate) async fn play_spec(mut spec: Spec) -> Result<Vec<Observed>, String> {
    spec.tool_kinds.iter().try_for_each(KindSpec::define)?;
    let server =
        if spec.is_http() { Some(Server::start().await.map_err(|error| format!("no server: {error}"))?) } else { None };
    let script = Script::default();
    let log = Log::default();
    let streamed = Streamed::default();
    let model = Logged { model: model(&spec, &script, server.as_ref())?, log: log.clone(), streamed: streamed.clone() };
    let runs = std::mem::take(&mut spec.runs);
    let scene = Scene { script, streamed, log: log.clone(), server };
    if runs.iter().all(|run| run.direct) {
        return play_direct(&spec, &runs, &model, &scene).await;
    }
    let stage = Stage { log, late: FunctionToolset::new().with_id("late") };
    let deferred = spec.output.iter().any(|kind| matches!(kind, OutputKind::Deferred));
    let output = output(&spec.output);
    let builder = builder(spec, model, &stage)?;
    match (output, deferred) {
        (None, false) => play_runs(builder.build(), &runs, &scene).await,
        (None, true) => play_runs(builder.allow_deferred().build(), &runs, &scene).await,
        (Some(output), false) => play_runs(builder.output(output).build(), &runs, &scene).await,
        (Some(output), true) => play_runs(builder.output(output).allow_deferred().build(), &runs, &scene).await,
    }
}

fn model(spec: &Spec, script: &Script, server: Option<&Server>) -> Result<AnyModel, String> {
    match (spec.api.as_str(), server) {
        ("test", _) => Ok(spec.test_model.clone().model()),
        (api, Some(server)) => provider_model(api, &spec.model, server.url(), client()?),
        (_, None) => Ok(script.model()),
    }
}

/// The agent, but for its output.
fn builder(spec: Spec, model: Logged, stage: &Stage) -> Result<AgentBuilder<Value, String>, String> {
    let mut builder = Agent::<Value>::builder(model)
        .tools(spec.tools.iter().map(|tool: &ToolSpec| tool.tool(stage)))
        .settings(spec.model_settings.0);
    for toolset in spec.toolsets {
        builder = builder.toolset(toolset.toolset(stage));
    }
    builder = builder.toolset(stage.late.clone());
    for edits in spec.prepare_tools {
        builder = builder.prepare_tools(hook(edits));
    }
    for edits in spec.prepare_output_tools {
        builder = builder.prepare_output_tools(hook(edits));
    }
    if let Some(text) = spec.instructions {
        builder = builder.instructions(text);
    }
    if let Some(retries) = spec.retries.and_then(|budgets| budgets.retries()) {
        builder = builder.retries(retries);
    }
    if let Some(seconds) = spec.tool_timeout {
        builder = builder.tool_timeout(Duration::from_secs_f64(seconds));
    }
    if let Some(strategy) = spec.end_strategy {
        builder = builder.end_strategy(end_strategy(&strategy)?);
    }
    if !spec.settings_per_step.is_empty() {
        let all = spec.settings_per_step;
        builder = builder.step_settings(move |ctx: &RunContext<Value>| settings_of_step(&all, ctx));
    }
    if let Some(search) = spec.tool_search {
        builder = builder.tool_search(search.search()?);
    }
    if let Some(answers) = spec.handle_deferred {
        // Answers that cannot be given are told before any run.
        answers.results().map_err(|error| error.to_string())?;
        builder = builder.handle_deferred(handler(answers));
    }
    Ok(builder)
}

type HookResult = Result<Option<Vec<ToolDefinition>>, BoxError>;

fn hook(
    edits: Vec<ListEdit>,
) -> impl Fn(&RunContext<Value>, Vec<ToolDefinition>) -> HookResult + Send + Sync + 'static {
    move |ctx: &RunContext<Value>, tools: Vec<ToolDefinition>| edit_tools(&edits, ctx, tools)
}

fn handler(
    answers: Answers,
) -> impl Fn(&RunContext<Value>, DeferredToolRequests) -> Result<DeferredToolResults, BoxError> + Send + Sync + 'static
{
    move |_: &RunContext<Value>, requests: DeferredToolRequests| answers.to(&requests).results()
}

fn end_strategy(name: &str) -> Result<EndStrategy, String> {
    match name {
        "early" => Ok(EndStrategy::Early),
        "graceful" => Ok(EndStrategy::Graceful),
        "exhaustive" => Ok(EndStrategy::Exhaustive),
        other => Err(format!("needs the end strategy `{other}`")),
    }
}

/// What runs come to, as JSON; `None` where it is nothing but text.
fn output(kinds: &[OutputKind]) -> Option<OutputSpec<Value>> {
    let mut tools = kinds.iter().filter_map(|kind| match kind {
        OutputKind::Tool(tool) => Some(output_tool(tool)),
        _ => None,
    });
    let first = OutputSpec::tool(tools.next()?);
    let output = tools.fold(first, OutputSpec::or_tool);
    let text = kinds.iter().any(|kind| matches!(kind, OutputKind::Text));
    Some(if text { output.or_text(Value::String) } else { output })
}

fn output_tool(spec: &OutputToolSpec) -> OutputTool<Value> {
    let tool = OutputTool::from_schema(spec.name.as_str(), spec.description.clone(), spec.parameters.clone());
    let tool = spec.strict.into_iter().fold(tool, OutputTool::with_strict);
    spec.max_retries.into_iter().fold(tool, OutputTool::with_retries)
}
