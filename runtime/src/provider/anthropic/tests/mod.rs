//! Requests and replies, against a server on loopback and without one.

mod conversation;
mod cuts;
mod discovery;
mod native;
mod replies;
mod requests;
mod streams;

use serde_json::{Value, json};

use super::request;
use super::*;
use crate::message::{Message, ModelRequest, RequestPart, ToolCallPart, UserPromptPart};
use crate::model::{Model, ModelInput};
use crate::tool::ToolDefinition;

fn model() -> AnthropicModel {
    named("claude-sonnet-4-5")
}

fn named(name: &str) -> AnthropicModel {
    AnthropicModel::builder(name).api_key("k").base_url("http://localhost:1").build().expect("a model")
}

fn body_of(model: &AnthropicModel, input: &ModelInput) -> Result<Value> {
    bytes_of(model, input, &mut Sent::default()).map(|body| serde_json::from_slice(&body).expect("the body is JSON"))
}

fn bytes_of(model: &AnthropicModel, input: &ModelInput, sent: &mut Sent) -> Result<Vec<u8>> {
    request::body(&Asked::whole(model.name(), input), &model.0.api.target, sent).map(|encoded| encoded.body)
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
