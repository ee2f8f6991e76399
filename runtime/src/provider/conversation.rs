//! Small conversations for the tests of providers, and what replies to them come to.

use serde_json::json;

use crate::message::{
    Message, ModelRequest, ModelResponse, Outcome, RequestPart, ResponsePart, ToolCallPart, ToolContent,
    ToolReturnPart, UserPromptPart,
};
use crate::model::ModelInput;
use crate::output::{OutputFormat, OutputMode};
use crate::tool::ToolDefinition;

/// A request with these parts.
pub(crate) fn ask(parts: Vec<RequestPart>) -> Message {
    ModelRequest::new(parts).into()
}

/// What a user says.
pub(crate) fn user(text: &str) -> Message {
    ask(vec![RequestPart::UserPrompt(UserPromptPart::new(text))])
}

/// A response of a provider with these parts.
pub(crate) fn say(provider: &str, parts: Vec<ResponsePart>) -> Message {
    let mut response = ModelResponse::new(parts);
    response.provider_name = Some(provider.to_owned());
    response.into()
}

/// A call of the tool `t`.
pub(crate) fn call(id: &str) -> ToolCallPart {
    ToolCallPart::new("t", json!({"x": 1})).with_id(id)
}

/// The answer to that call.
pub(crate) fn answer(id: &str, content: impl Into<ToolContent>) -> RequestPart {
    RequestPart::ToolReturn(ToolReturnPart::answer(&call(id), content, Outcome::Success))
}

/// A question without tools.
pub(crate) fn question() -> ModelInput {
    ModelInput::new([user("Go.")].into_iter().collect())
}

/// Tools of these names.
pub(crate) fn tools(names: &str) -> Vec<ToolDefinition> {
    names.split_whitespace().map(ToolDefinition::new).collect()
}

/// An output that is any object.
pub(crate) fn format(mode: OutputMode) -> OutputFormat {
    let schema = json!({"type": "object"}).into();
    OutputFormat { mode, name: "a b".into(), description: Some("D.".to_owned()), schema, strict: None }
}

/// The parts of a response in short: `text: …`, `thinking: …`, `call t(…)`.
pub(crate) fn short(response: &ModelResponse) -> Vec<String> {
    let part = |part: &ResponsePart| match part {
        ResponsePart::Text(part) => format!("text: {}", part.content),
        ResponsePart::Thinking(part) => format!("thinking: {}", part.content),
        ResponsePart::ToolCall(call) => format!("call {}({})", call.tool_name, call.args.text()),
        other => format!("{other:?}"),
    };
    response.parts.iter().map(part).collect()
}
