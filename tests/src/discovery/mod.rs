//! Agents whose tools are hidden, found, revealed and added, over conversations that move from one provider to another: what is
//! sent keeps together, and keeps what was cached.

mod sent;
mod wire;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::{Request, Response};
use serde_json::{Map, Value, json};
use toolwright::error::BoxError;
use toolwright::message::ToolContent;
use toolwright::provider::Transport;
use toolwright::{
    Agent, FunctionToolset, History, ModelSettings, RawTool, StepReport, ToolChoice, ToolDefinition, ToolReturn,
    ToolSearch,
};

use self::sent::Sent;
use self::wire::Wire;
use crate::engine::provider_model;
use crate::schemas;

/// What a model does when it is asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Act {
    /// Calls the plain tool.
    Call,
    /// Calls the tool that reveals a hidden one.
    Reveal,
    /// Calls the tool that adds a new one.
    Add,
    /// Searches: by the provider's own search where it has one, else by the application's.
    Search,
    /// Calls the hidden tool of this number, found or not.
    CallHidden(usize),
    /// Calls the new tool, there or not.
    CallNew,
    /// Says something, with which the run ends.
    Say,
}

/// A run: over which model, what it does, and in which step a tool must be called.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// The number of the model among [`models`].
    pub model: usize,
    /// What the model does, request after request.
    pub acts: Vec<Act>,
    /// In which step the plain tool must be called.
    pub forced: Option<u32>,
}

impl Part {
    /// A run.
    #[must_use]
    pub fn new(model: usize, acts: Vec<Act>, forced: Option<u32>) -> Self {
        Self { model, acts, forced }
    }
}

/// How many models there are to choose among.
#[must_use]
pub fn models() -> usize {
    wire::MODELS.len()
}

/// Plays the runs one after the other, each with the history of the one before; `hidden` is how many tools are hidden.
///
/// # Errors
///
/// What is wrong with what was sent.
pub fn play(hidden: usize, keywords: bool, parts: &[Part]) -> Result<(), String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let mut history = History::default();
    for (number, part) in parts.iter().enumerate() {
        let wire = &wire::MODELS[part.model % wire::MODELS.len()];
        let (after, bodies, reports) = runtime.block_on(run(wire, hidden, keywords, part, history))?;
        history = after;
        check(wire, hidden, part, &bodies, &reports)
            .map_err(|wrong| format!("run {} over {} ({}): {wrong}", number + 1, wire.api, wire.model))?;
    }
    Ok(())
}

/// A server that does what it is told, in its API's form.
#[derive(Clone)]
struct Scripted {
    wire: &'static Wire,
    /// How many messages there were before, so that no two calls have one id.
    before: usize,
    acts: Arc<Mutex<VecDeque<Act>>>,
    bodies: Arc<Mutex<Vec<Value>>>,
}

impl Transport for Scripted {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
        let body: Value = serde_json::from_slice(body)?;
        let act = self.acts.lock().unwrap_or_else(PoisonError::into_inner).pop_front().unwrap_or(Act::Say);
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        bodies.push(body);
        let reply = self.wire.reply(&act, &Sent::of(&bodies[bodies.len() - 1]), self.before + bodies.len());
        Ok(http::Response::builder().header("content-type", "application/json").body(reply.to_string())?.into())
    }
}

type Played = (History, Vec<Value>, Vec<StepReport>);

async fn run(
    wire: &'static Wire,
    hidden: usize,
    keywords: bool,
    part: &Part,
    history: History,
) -> Result<Played, String> {
    let server = Scripted {
        wire,
        before: history.len(),
        acts: Arc::new(Mutex::new(part.acts.iter().cloned().collect())),
        bodies: Arc::default(),
    };
    let agent = agent(wire, server.clone(), hidden, keywords, part.forced)?;
    let ended = agent.run("Go on.").history(history.clone()).await;
    let bodies = std::mem::take(&mut *server.bodies.lock().unwrap_or_else(PoisonError::into_inner));
    match ended {
        Ok(result) => Ok((result.history().clone(), bodies, result.steps().to_vec())),
        // A model that calls what is not there too often ends its run: what was sent until then counts.
        Err(error) if !bodies.is_empty() && error.kind() == toolwright::ErrorKind::ModelBehavior => {
            Ok((error.history().cloned().unwrap_or(history), bodies, Vec::new()))
        }
        Err(error) => Err(format!("the run over {} failed: {error}", wire.api)),
    }
}

fn agent(
    wire: &Wire,
    server: Scripted,
    hidden: usize,
    keywords: bool,
    forced: Option<u32>,
) -> Result<Agent<()>, String> {
    let model = provider_model(wire.api, wire.model, "http://localhost", server)?;
    let late = FunctionToolset::<()>::new();
    let adding = late.clone();
    let says = |_, _: Map<String, Value>| async { Ok::<_, BoxError>(json!("done")) };
    let plain = RawTool::new(definition("plain"), says);
    let opener = RawTool::new(definition("opener"), |_, _: Map<String, Value>| async {
        Ok::<_, BoxError>(ToolReturn::new(ToolContent::from(json!("opened"))).reveal(["hidden_0"]))
    });
    let adder = RawTool::new(definition("adder"), move |_, _: Map<String, Value>| {
        // Once it is there, it stays.
        let _ = adding.add(RawTool::new(definition("late"), |_, _: Map<String, Value>| async {
            Ok::<_, BoxError>(json!("late"))
        }));
        async { Ok::<_, BoxError>(json!("added")) }
    });
    let secret = (0..hidden).map(|number| {
        let definition = definition(&format!("hidden_{number}")).with_defer_loading(true);
        RawTool::new(definition, says).into()
    });
    let tools = [plain.into(), opener.into(), adder.into()];
    let search = if keywords { ToolSearch::keywords() } else { ToolSearch::automatic() };
    Agent::<()>::builder(model)
        .tools(tools.into_iter().chain(secret).collect::<Vec<toolwright::Tool<()>>>())
        .toolset(late)
        .tool_search(search)
        .settings(ModelSettings::new().max_tokens(1000).max_retries(0_u32))
        .retries(toolwright::Retries::tools(9))
        .step_settings(move |ctx| match forced == Some(ctx.run_step()) {
            true => ModelSettings::new().tool_choice(ToolChoice::tools(["plain"])),
            false => ModelSettings::new(),
        })
        .build()
        .map_err(|error| error.to_string())
}

fn definition(name: &str) -> ToolDefinition {
    let parameters = json!({"type": "object", "properties": {}, "additionalProperties": false});
    ToolDefinition::new(name).with_description(format!("The tool that is {name}.")).with_parameters(parameters)
}

fn check(wire: &Wire, hidden: usize, part: &Part, bodies: &[Value], reports: &[StepReport]) -> Result<(), String> {
    for body in bodies {
        schemas::check(wire.api, body)?;
        Sent::of(body).check().map_err(|wrong| format!("{wrong}: {body}"))?;
    }
    for report in reports {
        // Around a forced call, other tools may be left out, or a new one be listed.
        let is_chosen = part.forced.is_some_and(|step| (step..=step + 1).contains(&report.step));
        let may = |moved: &String| {
            is_chosen || !wire.keeps_tools && is_of_a_newcomer(moved, hidden) || is_of_an_early_call(moved)
        };
        if let Some(moved) = report.moved.iter().find(|moved| !may(moved)) {
            return Err(format!("step {} moved what was cached: {moved}", report.step));
        }
    }
    Ok(())
}

/// Whether a call of a tool that was not there yet is told where the tool is since: OpenAI refuses calls without.
fn is_of_an_early_call(moved: &str) -> bool {
    moved.starts_with("input[") && moved.ends_with("].namespace was added")
}

/// Whether a tool was added that was hidden before, or new: a provider without another place for such lists it.
fn is_of_a_newcomer(moved: &str, hidden: usize) -> bool {
    let names = (0..hidden).map(|number| format!("hidden_{number}")).chain(["late".to_owned()]);
    names.into_iter().any(|name| moved == format!("tool `{name}` was added"))
}
