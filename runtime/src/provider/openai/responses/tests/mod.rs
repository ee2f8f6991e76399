//! Requests and replies, against a server on loopback and without one.

mod conversation;
mod cuts;
mod discovery;
mod replies;
mod requests;
mod streams;

use serde_json::{Value, json};

use super::request;
use super::*;
use crate::message::{Message, ModelRequest, RequestPart, ToolCallPart, UserPromptPart};
use crate::model::{Model, ModelInput};
use crate::tool::ToolDefinition;

/// Where the models of these tests are.
const SERVER: &str = "http://localhost:1/v1";

fn model() -> OpenAiResponsesModel {
    named("gpt-5.4")
}

fn named(name: &str) -> OpenAiResponsesModel {
    OpenAiResponsesModel::builder(name).api_key("k").base_url(SERVER).build().expect("a model")
}

fn with_profile(correct: impl FnOnce(&mut OpenAiResponsesProfile)) -> OpenAiResponsesModel {
    let builder = OpenAiResponsesModel::builder("gpt-5.4").api_key("k").base_url(SERVER);
    builder.profile(correct).build().expect("a model")
}

fn body_of(model: &OpenAiResponsesModel, input: &ModelInput) -> Result<Value> {
    bytes_of(model, input, &mut Sent::default()).map(|body| serde_json::from_slice(&body).expect("the body is JSON"))
}

fn bytes_of(model: &OpenAiResponsesModel, input: &ModelInput, sent: &mut Sent) -> Result<Vec<u8>> {
    request::body(&Asked::whole(model.name(), input), &model.0.api.form, sent).map(|encoded| encoded.body)
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
