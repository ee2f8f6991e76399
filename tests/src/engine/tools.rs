//! The tools of a case.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use toolwright::error::BoxError;
use toolwright::message::Metadata;
use toolwright::toolset::FunctionToolset;
use toolwright::{CallKind, RawTool, RunContext, Tool, ToolDefinition, ToolReturn};

use super::conditions::Subject;
use super::edits::{ToolEdit, edit_tool};
use super::log::Log;
use super::outcomes::{Outcome, Rule, first};

/// A tool: its definition, and what it does.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ToolSpec {
    name: String,
    description: Option<String>,
    parameters: Option<Value>,
    strict: Option<bool>,
    sequential: bool,
    requires_approval: bool,
    max_retries: Option<u32>,
    timeout: Option<f64>,
    metadata: Option<Metadata>,
    defer_loading: bool,
    tool_kind: Option<String>,
    unless_tool_kind: Option<String>,
    #[serde(deserialize_with = "shared")]
    prepare: Arc<Vec<ToolEdit>>,
    #[serde(deserialize_with = "shared")]
    validator: Arc<Vec<Rule>>,
    #[serde(deserialize_with = "shared")]
    does: Arc<Vec<Outcome>>,
}

/// Reads what the functions of a tool share.
fn shared<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Arc<T>, D::Error> {
    T::deserialize(deserializer).map(Arc::new)
}

/// What all tools of a case share.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) log: Log,
    /// The toolset that tools add to while the run goes on.
    pub(crate) late: FunctionToolset<Value>,
}

impl Stage {
    pub(crate) fn add_late(&self, spec: &ToolSpec) -> Result<(), BoxError> {
        Ok(self.late.add(spec.tool(self))?)
    }
}

impl ToolSpec {
    pub(crate) fn definition(&self) -> ToolDefinition {
        let mut definition = ToolDefinition::new(self.name.as_str())
            .with_strict(self.strict)
            .with_sequential(self.sequential)
            .with_timeout(self.timeout.map(Duration::from_secs_f64))
            .with_defer_loading(self.defer_loading);
        if let Some(description) = &self.description {
            definition = definition.with_description(description);
        }
        if let Some(parameters) = &self.parameters {
            definition = definition.with_parameters(parameters.clone());
        }
        if self.requires_approval {
            definition = definition.with_kind(CallKind::Unapproved);
        }
        if let Some(metadata) = &self.metadata {
            definition = definition.with_metadata(metadata.clone());
        }
        if let Some(kind) = &self.tool_kind {
            definition = definition.with_tool_kind(kind);
        }
        if let Some(kind) = &self.unless_tool_kind {
            definition = definition.with_unless_tool_kind(kind);
        }
        definition
    }

    pub(crate) fn tool(&self, stage: &Stage) -> Tool<Value> {
        let actor = Arc::new(Actor {
            name: self.name.clone(),
            does: self.does.clone(),
            calls: AtomicUsize::new(0),
            stage: stage.clone(),
        });
        let mut raw = RawTool::new(self.definition(), move |ctx, args| {
            let actor = actor.clone();
            async move { actor.act(ctx, args).await }
        });
        if !self.validator.is_empty() {
            let rules = self.validator.clone();
            raw = raw.args_validator(move |ctx: &RunContext<Value>, args: &Map<String, Value>| {
                first(&rules, Subject::call(ctx, args)).map_or(Ok(()), Outcome::refuse)
            });
        }
        let mut tool = Tool::from(raw);
        if !self.prepare.is_empty() {
            let edits = self.prepare.clone();
            tool = tool.with_prepare(move |ctx: &RunContext<Value>, tool: ToolDefinition| edit_tool(&edits, ctx, tool));
        }
        match self.max_retries {
            Some(retries) => tool.with_retries(retries),
            None => tool,
        }
    }
}

/// Plays a tool's outcomes, call after call.
struct Actor {
    name: String,
    does: Arc<Vec<Outcome>>,
    calls: AtomicUsize,
    stage: Stage,
}

impl Actor {
    async fn act(&self, ctx: RunContext<Value>, args: Map<String, Value>) -> Result<ToolReturn, BoxError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        let echo = Outcome::echo();
        let outcome = self.does.get(call).or(self.does.last()).unwrap_or(&echo);
        let chain = outcome.with_rules(Subject::call(&ctx, &args));
        let sleep_ms = chain.iter().map(|outcome| outcome.sleep_ms()).sum();
        let call_id = ctx.tool_call_id().unwrap_or_default();
        let _ends_when_dropped = self.stage.log.start(&self.name, call_id, &args, sleep_ms);
        for outcome in &chain {
            outcome.begin(&self.stage).await?;
        }
        chain.last().unwrap_or(&outcome).end(&ctx, args).await
    }
}
