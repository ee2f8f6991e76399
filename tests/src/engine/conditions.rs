//! Conditions on a run, a tool and a call's arguments.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use toolwright::message::{Metadata, RequestPart};
use toolwright::{RunContext, ToolDefinition};

/// When something applies.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) enum Condition {
    Always,
    Keys(Box<Keys>),
}

impl TryFrom<Value> for Condition {
    type Error = serde_json::Error;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        if value == Value::Bool(true) { Ok(Self::Always) } else { serde_json::from_value(value).map(Self::Keys) }
    }
}

/// All keys that are there must hold.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Keys {
    all: Vec<Condition>,
    any: Option<Vec<Condition>>,
    not: Option<Condition>,
    #[serde(deserialize_with = "present")]
    deps: Option<Value>,
    step: Option<u32>,
    step_gte: Option<u32>,
    retry_gte: Option<u32>,
    approved: Option<bool>,
    system: Option<String>,
    called: Option<String>,
    name: Option<String>,
    name_in: Option<Vec<String>>,
    name_prefix: Option<String>,
    metadata: Metadata,
    arg_gt: Map<String, Value>,
    arg_eq: Map<String, Value>,
}

/// Tells a key whose value is null from one that is not there.
pub(crate) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// What a condition is about.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) ctx: &'a RunContext<Value>,
    pub(crate) tool: Option<&'a ToolDefinition>,
    pub(crate) args: Option<&'a Map<String, Value>>,
}

impl<'a> Subject<'a> {
    pub(crate) fn run(ctx: &'a RunContext<Value>) -> Self {
        Self { ctx, tool: None, args: None }
    }

    pub(crate) fn tool(ctx: &'a RunContext<Value>, tool: &'a ToolDefinition) -> Self {
        Self { tool: Some(tool), ..Self::run(ctx) }
    }

    pub(crate) fn call(ctx: &'a RunContext<Value>, args: &'a Map<String, Value>) -> Self {
        Self { args: Some(args), ..Self::run(ctx) }
    }

    fn name(&self) -> Option<&'a str> {
        self.tool.map(ToolDefinition::name).or_else(|| self.ctx.tool_name())
    }

    fn arg(&self, key: &str) -> Option<&'a Value> {
        self.args.and_then(|args| args.get(key))
    }

    fn has_metadata(&self, key: &str, value: &Value) -> bool {
        self.tool.and_then(ToolDefinition::metadata).and_then(|metadata| metadata.get(key)) == Some(value)
    }

    fn has_called(&self, tool: &str) -> bool {
        self.ctx
            .messages()
            .request_parts()
            .any(|part| matches!(part, RequestPart::ToolReturn(answer) if answer.tool_name == tool))
    }
}

impl Condition {
    pub(crate) fn holds(&self, subject: Subject<'_>) -> bool {
        match self {
            Self::Always => true,
            Self::Keys(keys) => keys.hold(subject),
        }
    }
}

/// Whether an optional condition holds; one that is not there does.
pub(crate) fn holds(condition: Option<&Condition>, subject: Subject<'_>) -> bool {
    condition.is_none_or(|condition| condition.holds(subject))
}

impl Keys {
    fn hold(&self, subject: Subject<'_>) -> bool {
        self.hold_of_conditions(subject) && self.hold_of_run(subject) && self.hold_of_tool(subject)
    }

    fn hold_of_conditions(&self, subject: Subject<'_>) -> bool {
        self.all.iter().all(|condition| condition.holds(subject))
            && self.any.as_ref().is_none_or(|any| any.iter().any(|condition| condition.holds(subject)))
            && self.not.as_ref().is_none_or(|condition| !condition.holds(subject))
    }

    fn hold_of_run(&self, subject: Subject<'_>) -> bool {
        let ctx = subject.ctx;
        self.deps.as_ref().is_none_or(|deps| deps == ctx.deps())
            && self.step.is_none_or(|step| step == ctx.run_step())
            && self.step_gte.is_none_or(|step| ctx.run_step() >= step)
            && self.retry_gte.is_none_or(|retry| ctx.retry() >= retry)
            && self.approved.is_none_or(|approved| approved == ctx.tool_call_approved())
            && self.system.as_ref().is_none_or(|system| system == ctx.model().system())
            && self.called.as_ref().is_none_or(|tool| subject.has_called(tool))
    }

    fn hold_of_tool(&self, subject: Subject<'_>) -> bool {
        let name = subject.name().unwrap_or_default();
        self.name.as_ref().is_none_or(|wanted| wanted == name)
            && self.name_in.as_ref().is_none_or(|names| names.iter().any(|wanted| wanted == name))
            && self.name_prefix.as_ref().is_none_or(|prefix| name.starts_with(prefix))
            && self.metadata.iter().all(|(key, value)| subject.has_metadata(key, value))
            && self.arg_eq.iter().all(|(key, value)| subject.arg(key) == Some(value))
            && self.arg_gt.iter().all(|(key, limit)| {
                let above = |arg: &Value| Some(arg.as_f64()? > limit.as_f64()?);
                subject.arg(key).and_then(above).unwrap_or(false)
            })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn holds_for(condition: Value, deps: Value, tool: &ToolDefinition, args: &Value) -> bool {
        let condition: Condition = serde_json::from_value(condition).expect("a condition");
        let ctx = RunContext::detached(deps);
        let args = args.as_object().cloned().unwrap_or_default();
        condition.holds(Subject { tool: Some(tool), args: Some(&args), ctx: &ctx })
    }

    #[test]
    fn all_keys_must_hold() {
        let tool = ToolDefinition::new("a_b").with_metadata(Metadata::from_iter([("k".to_owned(), json!(1))]));
        let check = |condition| holds_for(condition, Value::Null, &tool, &json!({"x": 5}));
        assert!(check(json!(true)));
        assert!(check(json!({"name": "a_b", "name_prefix": "a", "metadata": {"k": 1}})));
        assert!(!check(json!({"name": "a_b", "name_prefix": "b"})));
        assert!(check(json!({"arg_gt": {"x": 4}, "arg_eq": {"x": 5}})));
        assert!(!check(json!({"arg_gt": {"x": 5}})));
        assert!(!check(json!({"arg_gt": {"y": 0}})));
        assert!(check(json!({"any": [{"name": "no"}, {"name_in": ["a_b"]}], "not": {"name": "no"}})));
        assert!(!check(json!({"any": []})));
    }

    #[test]
    fn null_deps_are_a_value_too() {
        let tool = ToolDefinition::new("t");
        assert!(holds_for(json!({"deps": null}), Value::Null, &tool, &Value::Null));
        assert!(!holds_for(json!({"deps": null}), json!(1), &tool, &Value::Null));
    }

    #[test]
    fn an_unknown_key_is_no_condition() {
        assert!(serde_json::from_value::<Condition>(json!({"moon": "full"})).is_err());
    }
}
