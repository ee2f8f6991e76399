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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn edited(edits: Value) -> Result<Option<Vec<ToolDefinition>>, BoxError> {
        let edits: Vec<ListEdit> = serde_json::from_value(edits).expect("edits");
        let tools = ["a", "b", "c"].map(ToolDefinition::new).to_vec();
        edit_tools(&edits, &RunContext::detached(json!(7)), tools)
    }

    fn names(edits: Value) -> String {
        let tools = edited(edits).expect("no error").expect("a list");
        tools.iter().map(|tool| format!("{}{} ", tool.name(), tool.description().unwrap_or_default())).collect()
    }

    #[test]
    fn edits_of_all_tools_apply_in_order() {
        assert_eq!(names(json!([{"drop": {"name": "b"}}, {"reverse": true}])), "c a ");
        assert_eq!(names(json!([{"keep": {"name_in": ["a", "b"]}}, {"add": {"name": "d"}}])), "a b d ");
        assert_eq!(names(json!([{"set": {"description": "!"}, "where": {"name": "c"}}])), "a b c! ");
        assert_eq!(
            names(json!([{"when": {"deps": 8}, "drop": true}, {"when": {"deps": 7}, "reverse": true}])),
            "c b a "
        );
    }

    #[test]
    fn a_hook_may_give_nothing_or_fail() {
        assert!(edited(json!([{"none": true}])).is_ok_and(|tools| tools.is_none()));
        assert!(edited(json!([{"error": "boom"}])).is_err_and(|error| error.to_string() == "boom"));
        let unknown = edited(json!([{"set": {"colour": "red"}}]));
        assert!(unknown.is_err_and(|error| error.to_string().starts_with("needs")));
    }

    #[test]
    fn edits_of_one_tool_set_every_field() {
        let edits: Vec<ToolEdit> = serde_json::from_value(json!([
            {"set": {"name": "n", "description": "d", "strict": true, "sequential": true, "kind": "unapproved"}},
            {"set": {"metadata": {"k": 1}, "timeout": 0.5, "defer_loading": true}},
            {"set": {"tool_kind": "x.y", "unless_tool_kind": "x.z"}},
            {"set": {"parameters": {"type": "object", "properties": {"p": {}}}}},
            {"set": {"param_descriptions": {"p": "P."}}},
        ]))
        .expect("edits");
        let tool = edit_tool(&edits, &RunContext::detached(Value::Null), ToolDefinition::new("t"));
        let tool = tool.expect("no error").expect("a tool");
        let expected = ToolDefinition::new("n")
            .with_description("d")
            .with_strict(true)
            .with_sequential(true)
            .with_kind(CallKind::Unapproved)
            .with_metadata(Map::from_iter([("k".to_owned(), json!(1))]))
            .with_timeout(Duration::from_millis(500))
            .with_defer_loading(true)
            .with_tool_kind("x.y")
            .with_unless_tool_kind("x.z")
            .with_parameters(json!({"type": "object", "properties": {"p": {"description": "P."}}}));
        assert_eq!(tool, expected);
    }

    #[test]
    fn an_edit_may_leave_a_tool_out() {
        let edits: Vec<ToolEdit> = serde_json::from_value(json!([{"when": {"deps": 7}, "omit": true}])).expect("edits");
        let left =
            |deps: Value| edit_tool(&edits, &RunContext::detached(deps), ToolDefinition::new("t")).expect("no error");
        assert!(left(json!(7)).is_none());
        assert!(left(json!(8)).is_some());
    }
}
