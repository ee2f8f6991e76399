//! Requests and replies, against a server on loopback and without one.

mod conversation;
mod cuts;
mod replies;
mod requests;
mod streams;

use serde_json::{Value, json};

use super::request;
use super::*;
use crate::message::{Message, ModelRequest, RequestPart, ResponsePart, ToolCallPart, UserPromptPart};
use crate::model::Model;
use crate::tool::ToolDefinition;

fn model() -> GoogleModel {
    named("gemini-3-flash-preview")
}

fn named(name: &str) -> GoogleModel {
    GoogleModel::builder(name).api_key("k").base_url("http://localhost:1").build().expect("a model")
}

fn body_of(model: &GoogleModel, input: &ModelInput) -> Result<Value> {
    bytes_of(model, input, &mut Sent::default()).map(|body| serde_json::from_slice(&body).expect("the body is JSON"))
}

fn bytes_of(model: &GoogleModel, input: &ModelInput, sent: &mut Sent) -> Result<Vec<u8>> {
    request::body(&Asked::whole(model.name(), input), model.profile(), sent).map(|encoded| encoded.body)
}

fn notes_of(model: &GoogleModel, input: &ModelInput) -> Vec<String> {
    let encoded = request::body(&Asked::whole(model.name(), input), model.profile(), &mut Sent::default());
    encoded.expect("a body").notes
}

fn user(text: &str) -> Message {
    ask(vec![RequestPart::UserPrompt(UserPromptPart::new(text))])
}

fn ask(parts: Vec<RequestPart>) -> Message {
    ModelRequest::new(parts).into()
}

fn call(name: &str, id: &str) -> ToolCallPart {
    ToolCallPart::new(name, json!({"x": 1})).with_id(id)
}

fn question() -> ModelInput {
    ModelInput::new([user("Go.")].into_iter().collect())
}

fn tools(names: &str) -> Vec<ToolDefinition> {
    names.split_whitespace().map(ToolDefinition::new).collect()
}

/// The parts in short: `text: …`, `thinking: …`, `call t(…)`.
fn short(response: &ModelResponse) -> Vec<String> {
    let part = |part: &ResponsePart| match part {
        ResponsePart::Text(part) => format!("text: {}", part.content),
        ResponsePart::Thinking(part) => format!("thinking: {}", part.content),
        ResponsePart::ToolCall(call) => format!("call {}({})", call.tool_name, call.args.text()),
        other => serde_json::to_string(other).expect("JSON"),
    };
    response.parts.iter().map(part).collect()
}
