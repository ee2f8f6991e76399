//! What came of a run.

use serde_json::{Value, json};
use toolwright::model::ModelInput;
use toolwright::{CallKind, Error, History, MaybeDeferred, ToolDefinition};

use super::deferred::shown_requests;
use super::log::Entries;
use super::settings::shown_choice;
use crate::server::Asked;

/// What came of a run.
pub(crate) struct Observed {
    pub(crate) ending: Ending,
    pub(crate) history: History,
    pub(crate) usage: Value,
    pub(crate) entries: Entries,
    pub(crate) asked: Vec<Asked>,
}

/// How a run ended.
pub(crate) enum Ending {
    Output(Value),
    Deferred(Value),
    Response(Value),
    Failed(Error),
}

/// An output, as cases write it.
pub(crate) trait Output: Send + 'static {
    fn ending(self) -> Ending;
}

impl Output for String {
    fn ending(self) -> Ending {
        Ending::Output(self.into())
    }
}

impl Output for Value {
    fn ending(self) -> Ending {
        Ending::Output(self)
    }
}

impl<O: Output> Output for MaybeDeferred<O> {
    fn ending(self) -> Ending {
        match self {
            Self::Done(output) => output.ending(),
            Self::Deferred(requests) => Ending::Deferred(shown_requests(&requests)),
        }
    }
}

/// What a model was asked in one step.
pub(crate) fn step(input: &ModelInput) -> Value {
    let output_tools: Value = input.output_tools.iter().map(|tool| Value::from(tool.name())).collect();
    json!({
        "tools": tools(input),
        "output_tools": output_tools,
        "allow_text": input.allow_text,
        "tool_choice": input.settings.tool_choice.as_ref().map(shown_choice),
    })
}

/// The function tools that a model was offered.
pub(crate) fn tools(input: &ModelInput) -> Value {
    input.function_tools.iter().map(definition).collect()
}

/// A definition, without what is as it would be anyway.
fn definition(tool: &ToolDefinition) -> Value {
    let only = |set: bool| set.then_some(true);
    json!({
        "name": tool.name(),
        "description": tool.description(),
        "parameters": tool.parameters(),
        "strict": tool.strict(),
        "sequential": only(tool.sequential()),
        "kind": (tool.kind() != CallKind::Function).then(|| tool.kind().as_str()),
        "metadata": tool.metadata(),
        "timeout": tool.timeout().map(|timeout| timeout.as_secs_f64()),
        "defer_loading": only(tool.defer_loading()),
        "tool_kind": tool.tool_kind(),
        "unless_tool_kind": tool.unless_tool_kind(),
    })
}
