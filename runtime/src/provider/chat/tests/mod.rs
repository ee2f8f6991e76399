//! Requests and replies, against a server on loopback and without one.

mod conversation;
mod cuts;
pub(crate) mod replies;
mod requests;
mod streams;

use serde_json::{Value, json};

use super::*;
use crate::message::{Message, ModelRequest, RequestPart, ToolCallPart, UserPromptPart};
use crate::model::{Model, ModelInput, ModelSettings};
use crate::provider::exchange::Exchange;
use crate::provider::openai::OpenAiChatModel;
use crate::tool::ToolDefinition;

fn model() -> OpenAiChatModel {
    with_profile(|_| {})
}

fn with_profile(correct: impl FnOnce(&mut ChatProfile)) -> OpenAiChatModel {
    let builder = OpenAiChatModel::builder("gpt-5.2").api_key("k").base_url("http://localhost:1/v1");
    builder.profile(correct).build().expect("a model")
}

fn body_of(model: &OpenAiChatModel, input: &ModelInput) -> Result<Value> {
    bytes_of(model, input, &mut Sent::default()).map(|body| serde_json::from_slice(&body).expect("the body is JSON"))
}

fn bytes_of(model: &OpenAiChatModel, input: &ModelInput, sent: &mut Sent) -> Result<Vec<u8>> {
    request::body(&Asked::whole(model.name(), input), &form_of(model.profile()), sent).map(|encoded| encoded.body)
}

fn form_of(profile: &ChatProfile) -> ChatForm {
    ChatForm { system: "openai", profile: profile.clone() }
}

/// The body in which a question is sent, and what is said of it.
pub(crate) fn sent(model: &Exchange<Chat>, input: &ModelInput) -> Result<(Value, Vec<String>)> {
    let encoded = model.api.encode(&Asked::whole(&model.name, input), &mut RequestCache::default())?;
    Ok((serde_json::from_slice(&encoded.body).expect("the body is JSON"), encoded.notes))
}

pub(crate) fn user(text: &str) -> Message {
    ask(vec![RequestPart::UserPrompt(UserPromptPart::new(text))])
}

pub(crate) fn ask(parts: Vec<RequestPart>) -> Message {
    ModelRequest::new(parts).into()
}

pub(crate) fn call(name: &str, id: &str) -> ToolCallPart {
    ToolCallPart::new(name, json!({"x": 1})).with_id(id)
}

pub(crate) fn question() -> ModelInput {
    ModelInput::new([user("Go.")].into_iter().collect())
}

pub(crate) fn tools(names: &str) -> Vec<ToolDefinition> {
    names.split_whitespace().map(ToolDefinition::new).collect()
}
