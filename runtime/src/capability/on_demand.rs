//! Capabilities that hold once the model has loaded them.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde_json::Value;

use super::{Capability, Entries, Entry, delegate};
use crate::args::{ArgsError, ArgsReader, ReadOptions};
use crate::context::RunContext;
use crate::error::BoxError;
use crate::json::Json;
use crate::later::{BoxFuture, Later};
use crate::message::{Arguments, ToolContent};
use crate::tool::kind::{LoadCapabilityArgs, LoadCapabilityResult};
use crate::tool::{Finished, ModelRetry, ReadArgs, Running, Tool, ToolBody, ToolDefinition, ToolReturn};
use crate::wording::shortened;

/// The tool by which the model loads capabilities. While an agent has some to load, no other tool can be called that.
pub(crate) const LOAD_TOOL: &str = "load_capability";
/// Where a load's result says which capability it was, whatever the call said.
pub(crate) const LOADED: &str = "capability_id";
/// The id of its kind.
pub(crate) const LOAD_KIND: &str = "capability-load";

/// A capability that holds once the model has loaded it; made with
/// [`CapabilityExt::on_demand`](super::CapabilityExt::on_demand), too.
///
/// The model is told of it by its id and description, in the agent's instructions, and has a tool `load_capability`. Until it
/// calls that, the capability's tools cannot be called, nor found by a search; its settings and hooks do not hold. What it says
/// in its instructions is the tool's result, so that nothing changes in what was sent before. What was loaded stays loaded over
/// the same history.
#[derive(Debug)]
pub struct OnDemand<C> {
    id: String,
    description: String,
    inner: C,
}

impl<C> OnDemand<C> {
    /// Lets the model load `capability` as `id`; the description says when it should.
    #[must_use]
    pub fn new(id: impl Into<String>, description: impl Into<String>, capability: C) -> Self {
        Self { id: id.into(), description: description.into(), inner: capability }
    }
}

impl<D: Send + Sync + 'static, C: Capability<D>> Capability<D> for OnDemand<C> {
    fn id(&self) -> Option<&str> {
        Some(&self.id)
    }

    fn description(&self) -> Option<&str> {
        Some(&self.description)
    }

    fn defer_loading(&self) -> bool {
        true
    }

    delegate!(toolsets hooks);
}

/// What the model is told of the capabilities that it can load; nothing, where there are none. It stays the same when one is
/// loaded, so that nothing changes in what was sent before.
pub(crate) fn catalog<D: Send + Sync + 'static>(entries: &[Entry<D>]) -> Option<String> {
    let mut text = format!(
        "You can load these capabilities with the tool `{LOAD_TOOL}`, each as soon as it may be of use. The tools of a capability \
         are hidden until it is loaded, and no search finds them:"
    );
    let mut any = false;
    for entry in entries {
        let Some(id) = entry.load_id() else { continue };
        any = true;
        text.push_str("\n- ");
        text.push_str(id);
        if let Some(description) = entry.capability().description().filter(|description| !description.is_empty()) {
            text.push_str(": ");
            text.push_str(description);
        }
    }
    any.then_some(text)
}

/// What the model is told of the tool that loads the capabilities of these ids.
pub(crate) fn load_definition<'a>(ids: impl Iterator<Item = &'a str>) -> ToolDefinition {
    let mut schema = Value::from(LoadCapabilityArgs::json_schema(&mut schemars::SchemaGenerator::default()));
    schema["properties"]["id"]["enum"] = ids.collect();
    schema["additionalProperties"] = Value::Bool(false);
    ToolDefinition::new(LOAD_TOOL)
        .with_description(
            "Loads a capability by its id: you get its instructions, and from your next response on its tools. Load one as \
             soon as it may be of use.",
        )
        .with_parameters(schema)
        .with_tool_kind(LOAD_KIND)
}

/// The tool that loads capabilities, for one step.
pub(crate) fn load_tool<D: Send + Sync + 'static>(definition: &ToolDefinition, entries: &Entries<D>) -> Tool<D> {
    Tool::from_parts(definition.clone(), Arc::new(LoadBody { entries: entries.clone(), loading: Arc::default() }))
}

struct LoadBody<D> {
    entries: Entries<D>,
    /// Those that other calls of the same response load.
    loading: Arc<Mutex<(u32, HashSet<Arc<str>>)>>,
}

impl<D: Send + Sync + 'static> ToolBody<D> for LoadBody<D> {
    fn read(&self, args: &Arguments) -> Result<ReadArgs, ArgsError> {
        let mut reader = ArgsReader::new(args.text(), ReadOptions { lenient: true, whole: false })?;
        let id: Option<String> = reader.get("id");
        reader.finish()?;
        Ok(Box::new(id.unwrap_or_default()))
    }

    fn check(&self, _: &RunContext<D>, _: &ReadArgs, _: &Arguments) -> Later<Result<(), BoxError>> {
        Later::Now(Ok(()))
    }

    fn call(&self, ctx: RunContext<D>, args: ReadArgs) -> Running {
        let id = args.downcast::<String>().map(|id| *id).unwrap_or_default();
        let entry = match self.begin(&ctx, &id) {
            Ok(entry) => entry,
            Err(refused) => return Running::Done(Err(refused.into())),
        };
        let loading = self.loading.clone();
        let loaded: BoxFuture<'static, Finished> = Box::pin(async move {
            let result = load(&entry, &ctx, &id).await;
            if result.is_err() {
                loading.lock().unwrap_or_else(PoisonError::into_inner).1.remove(id.as_str());
            }
            result
        });
        Running::Future(loaded)
    }
}

impl<D: Send + Sync + 'static> LoadBody<D> {
    /// The capability, unless there is nothing to load.
    fn begin(&self, ctx: &RunContext<D>, id: &str) -> Result<Entry<D>, ModelRetry> {
        let loadable = || self.entries.iter().filter(|entry| entry.load_id().is_some());
        let Some(entry) = loadable().find(|entry| entry.load_id().is_some_and(|known| &**known == id)) else {
            let known: Vec<_> = loadable().filter_map(Entry::load_id).map(|id| format!("'{id}'")).collect();
            return Err(ModelRetry::new(format!(
                "There is no capability '{}' to load. Those there are: {}.",
                shortened(id, 200),
                known.join(", ")
            )));
        };
        if ctx.is_loaded(id) {
            return Err(ModelRetry::new(format!(
                "The capability '{id}' is loaded already. Go by its instructions and call its tools; do not load it again."
            )));
        }
        let mut loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        // The tool may be that of an earlier step.
        if loading.0 != ctx.run_step() {
            *loading = (ctx.run_step(), HashSet::new());
        }
        if !loading.1.insert(id.into()) {
            return Err(ModelRetry::new(format!(
                "Another call of the same response loads the capability '{id}'; do not load it again."
            )));
        }
        Ok(entry.clone())
    }
}

/// What the capability says, and which tools it has in this step.
async fn load<D: Send + Sync + 'static>(entry: &Entry<D>, ctx: &RunContext<D>, id: &str) -> Finished {
    let instructions = entry.capability().instructions(ctx).await?.filter(|text| !text.is_empty());
    let follows = if instructions.is_some() { " Go by its instructions from here on." } else { "" };
    let message = Some(format!("The capability '{id}' is loaded.{follows}"));
    let content = ToolContent::Json(Json::of(&LoadCapabilityResult { message, instructions })?);
    let tools = ctx.tools().iter().filter(|tool| tool.capability_id() == Some(id));
    let loaded = serde_json::json!({ LOADED: id });
    Ok(ToolReturn::new(content).metadata(loaded).reveal(tools.map(ToolDefinition::name)))
}
