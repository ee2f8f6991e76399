//! Edits of definitions: what `prepare` functions and hooks do in a case.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use toolwright::error::BoxError;
use toolwright::{CallKind, RunContext, ToolDefinition};

use super::conditions::{Condition, Subject, holds};
use super::tools::ToolSpec;

/// An edit of one tool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolEdit {
    when: Option<Condition>,
    #[serde(default)]
    omit: bool,
    #[serde(default)]
    set: Map<String, Value>,
    error: Option<String>,
}

/// What the edits make of one tool; `None` leaves it out.
pub(crate) fn edit_tool(
    edits: &[ToolEdit],
    ctx: &RunContext<Value>,
    mut tool: ToolDefinition,
) -> Result<Option<ToolDefinition>, BoxError> {
    for edit in edits {
        if !holds(edit.when.as_ref(), Subject::tool(ctx, &tool)) {
            continue;
        }
        if let Some(message) = &edit.error {
            return Err(message.clone().into());
        }
        if edit.omit {
            return Ok(None);
        }
        tool = set_all(tool, &edit.set)?;
    }
    Ok(Some(tool))
}

/// An edit of all tools of a step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListEdit {
    when: Option<Condition>,
    keep: Option<Condition>,
    drop: Option<Condition>,
    #[serde(default)]
    reverse: bool,
    #[serde(default)]
    set: Map<String, Value>,
    r#where: Option<Condition>,
    add: Option<ToolSpec>,
    #[serde(default)]
    none: bool,
    error: Option<String>,
}

/// What the edits make of all tools; `None` is a hook that returned nothing.
pub(crate) fn edit_tools(
    edits: &[ListEdit],
    ctx: &RunContext<Value>,
    mut tools: Vec<ToolDefinition>,
) -> Result<Option<Vec<ToolDefinition>>, BoxError> {
    for edit in edits {
        if !holds(edit.when.as_ref(), Subject::run(ctx)) {
            continue;
        }
        if let Some(message) = &edit.error {
            return Err(message.clone().into());
        }
        if edit.none {
            return Ok(None);
        }
        tools = edit.apply(ctx, tools)?;
    }
    Ok(Some(tools))
}

impl ListEdit {
    fn apply(&self, ctx: &RunContext<Value>, mut tools: Vec<ToolDefinition>) -> Result<Vec<ToolDefinition>, BoxError> {
        if let Some(keep) = &self.keep {
            tools.retain(|tool| keep.holds(Subject::tool(ctx, tool)));
        }
        if let Some(drop) = &self.drop {
            tools.retain(|tool| !drop.holds(Subject::tool(ctx, tool)));
        }
        if self.reverse {
            tools.reverse();
        }
        if !self.set.is_empty() {
            let chosen = |tool: &ToolDefinition| holds(self.r#where.as_ref(), Subject::tool(ctx, tool));
            let edit = |tool| if chosen(&tool) { set_all(tool, &self.set) } else { Ok(tool) };
            tools = tools.into_iter().map(edit).collect::<Result<_, _>>()?;
        }
        tools.extend(self.add.as_ref().map(ToolSpec::definition));
        Ok(tools)
    }
}

fn set_all(tool: ToolDefinition, fields: &Map<String, Value>) -> Result<ToolDefinition, BoxError> {
    fields.iter().try_fold(tool, |tool, (field, value)| set(tool, field, value))
}

fn set(tool: ToolDefinition, field: &str, value: &Value) -> Result<ToolDefinition, BoxError> {
    Ok(match (field, value) {
        ("name", Value::String(name)) => tool.with_name(name.as_str()),
        ("description", Value::String(text)) => tool.with_description(text),
        ("parameters", schema) => tool.with_parameters(schema.clone()),
        ("param_descriptions", Value::Object(texts)) => texts
            .iter()
            .fold(tool, |tool, (name, text)| tool.with_parameter_description(name, text.as_str().unwrap_or_default())),
        ("strict", strict) => tool.with_strict(strict.as_bool()),
        ("sequential", Value::Bool(sequential)) => tool.with_sequential(*sequential),
        ("kind", Value::String(kind)) => tool.with_kind(call_kind(kind)?),
        ("metadata", Value::Object(metadata)) => tool.with_metadata(metadata.clone()),
        ("timeout", seconds) => tool.with_timeout(seconds.as_f64().map(Duration::from_secs_f64)),
        ("defer_loading", Value::Bool(hidden)) => tool.with_defer_loading(*hidden),
        ("tool_kind", Value::String(kind)) => tool.with_tool_kind(kind),
        ("unless_tool_kind", Value::String(kind)) => tool.with_unless_tool_kind(kind),
        _ => return Err(format!("needs a definition whose `{field}` can be set to {value}").into()),
    })
}

fn call_kind(name: &str) -> Result<CallKind, BoxError> {
    let kinds = [CallKind::Function, CallKind::Output, CallKind::External, CallKind::Unapproved];
    kinds
        .into_iter()
        .find(|kind| kind.as_str() == name)
        .ok_or_else(|| format!("needs the kind of call `{name}`").into())
}
