//! Settings, budgets and limits of agents and runs.

use serde::Deserialize;
use serde_json::Value;
use toolwright::model::Thinking;
use toolwright::{ModelSettings, Retries, RunContext, ToolChoice, UsageLimits};

use super::conditions::{Condition, Subject, holds};

/// Model settings.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Fields")]
pub(crate) struct Settings(pub(crate) ModelSettings);

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Fields {
    tool_choice: Option<Value>,
    parallel_tool_calls: Option<bool>,
    max_tokens: Option<u64>,
    temperature: Option<f64>,
    top_p: Option<f64>,
    stop_sequences: Option<Vec<String>>,
    seed: Option<i64>,
    thinking: Option<Value>,
    max_retries: Option<u32>,
}

impl TryFrom<Fields> for Settings {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Self, String> {
        let mut settings = ModelSettings::new();
        settings.tool_choice = fields.tool_choice.as_ref().map(tool_choice).transpose()?;
        settings.parallel_tool_calls = fields.parallel_tool_calls;
        settings.max_tokens = fields.max_tokens;
        settings.temperature = fields.temperature;
        settings.top_p = fields.top_p;
        settings.stop_sequences = fields.stop_sequences;
        settings.seed = fields.seed;
        settings.thinking = fields.thinking.as_ref().map(thinking).transpose()?;
        settings.max_retries = fields.max_retries;
        Ok(Self(settings))
    }
}

fn tool_choice(value: &Value) -> Result<ToolChoice, String> {
    let names = |value: &Value| serde_json::from_value::<Vec<String>>(value.clone()).map_err(|error| error.to_string());
    match value {
        Value::String(word) if word == "auto" => Ok(ToolChoice::Auto),
        Value::String(word) if word == "none" => Ok(ToolChoice::None),
        Value::String(word) if word == "required" => Ok(ToolChoice::Required),
        Value::Object(map) if map.len() == 1 && map.contains_key("function_tools") => {
            Ok(ToolChoice::tool_or_output(names(&map["function_tools"])?))
        }
        list @ Value::Array(_) => Ok(ToolChoice::tools(names(list)?)),
        other => Err(format!("needs the tool choice {other}")),
    }
}

/// The choice as cases write it.
pub(crate) fn shown_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Tools(names) => names.clone().into(),
        ToolChoice::ToolOrOutput(names) => serde_json::json!({"function_tools": names}),
        other => format!("{other:?}").into(),
    }
}

fn thinking(value: &Value) -> Result<Thinking, String> {
    match (value, value.as_str()) {
        (Value::Bool(true), _) => Ok(Thinking::On),
        (Value::Bool(false), _) => Ok(Thinking::Off),
        (_, Some("minimal")) => Ok(Thinking::Minimal),
        (_, Some("low")) => Ok(Thinking::Low),
        (_, Some("medium")) => Ok(Thinking::Medium),
        (_, Some("high")) => Ok(Thinking::High),
        _ => Err(format!("needs the thinking {value}")),
    }
}

/// Settings of the steps for which a condition holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepSettings {
    when: Option<Condition>,
    settings: Settings,
}

/// The settings of this step: the first whose condition holds.
pub(crate) fn settings_of_step(all: &[StepSettings], ctx: &RunContext<Value>) -> ModelSettings {
    let first = all.iter().find(|step| holds(step.when.as_ref(), Subject::run(ctx)));
    first.map(|step| step.settings.0.clone()).unwrap_or_default()
}

/// How often the model may be asked to try again.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Budgets {
    Both(u32),
    Each(EachBudget),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EachBudget {
    tools: Option<u32>,
    output: Option<u32>,
}

impl Budgets {
    pub(crate) fn retries(self) -> Option<Retries> {
        match self {
            Self::Both(budget) => Some(budget.into()),
            Self::Each(EachBudget { tools: Some(tools), output: Some(output) }) => {
                Some(Retries::tools(tools).with_output(output))
            }
            Self::Each(EachBudget { tools: Some(tools), output: None }) => Some(Retries::tools(tools)),
            Self::Each(EachBudget { tools: None, output: Some(output) }) => Some(Retries::output(output)),
            Self::Each(EachBudget { tools: None, output: None }) => None,
        }
    }
}

/// How much a run may cost.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    request_limit: Option<u64>,
    tool_calls_limit: Option<u64>,
}

impl Limits {
    pub(crate) fn limits(self) -> UsageLimits {
        let limits = self.request_limit.into_iter().fold(UsageLimits::default(), UsageLimits::requests);
        self.tool_calls_limit.into_iter().fold(limits, UsageLimits::tool_calls)
    }
}
