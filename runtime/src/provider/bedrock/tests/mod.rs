//! Requests and replies, without a server.

mod conversation;
mod replies;
mod requests;
mod signing;
mod streams;

use std::sync::{Mutex, PoisonError};

use reqwest::{Body, Request, Response};
use serde_json::{Value, json};

use super::*;
use crate::error::BoxError;
use crate::message::{Message, ModelRequest, RequestPart, ResponsePart, ToolCallPart, UserPromptPart};
use crate::model::{Model, ModelInput};
use crate::provider::Transport;
use crate::tool::ToolDefinition;

const CLAUDE: &str = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const NOVA: &str = "us.amazon.nova-pro-v1:0";
const LLAMA: &str = "us.meta.llama3-3-70b-instruct-v1:0";

fn named(name: &str) -> BedrockModel {
    BedrockModel::builder(name).api_key("k").base_url("http://localhost:1").build().expect("a model")
}

fn body_of(model: &BedrockModel, input: &ModelInput) -> Result<Value> {
    bytes_of(model, input, &mut Sent::default()).map(|body| serde_json::from_slice(&body).expect("the body is JSON"))
}

fn bytes_of(model: &BedrockModel, input: &ModelInput, sent: &mut Sent) -> Result<Vec<u8>> {
    request::body(&Asked::whole(model.name(), input), &model.0.api.target, sent).map(|encoded| encoded.body)
}

fn notes_of(model: &BedrockModel, input: &ModelInput) -> Vec<String> {
    let encoded = request::body(&Asked::whole(model.name(), input), &model.0.api.target, &mut Sent::default());
    encoded.expect("a body").notes
}

fn user(text: &str) -> Message {
    ask(vec![RequestPart::UserPrompt(UserPromptPart::new(text))])
}

fn ask(parts: Vec<RequestPart>) -> Message {
    ModelRequest::new(parts).into()
}

fn say(parts: Vec<ResponsePart>) -> Message {
    ModelResponse::new(parts).into()
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

/// Gives replies, one after the other, and keeps what it was sent.
struct Canned {
    replies: Mutex<Vec<(u16, Vec<u8>)>>,
    sent: Mutex<Vec<Request>>,
}

impl Canned {
    fn with(replies: impl IntoIterator<Item = (u16, Vec<u8>)>) -> Arc<Self> {
        let mut replies: Vec<_> = replies.into_iter().collect();
        replies.reverse();
        Arc::new(Self { replies: Mutex::new(replies), sent: Mutex::default() })
    }

    fn sent(&self) -> Vec<Request> {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent.iter().filter_map(Request::try_clone).collect()
    }
}

impl Transport for Canned {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        let reply = self.replies.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (status, body) = reply.unwrap_or((418, Vec::new()));
        Ok(http::Response::builder().status(status).header("x-amzn-requestid", "r1").body(body)?.into())
    }
}

fn header<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    request.headers().get(name)?.to_str().ok()
}

fn sent_body(request: &Request) -> Vec<u8> {
    request.body().and_then(Body::as_bytes).unwrap_or_default().to_vec()
}

/// The parts in short: `text: …`, `thinking: …`, `call t(…)`.
fn short(response: &ModelResponse) -> Vec<String> {
    let part = |part: &ResponsePart| match part {
        ResponsePart::Text(part) => format!("text: {}", part.content),
        ResponsePart::Thinking(part) => {
            let id = part.id.as_ref().map(|id| format!("{id} ")).unwrap_or_default();
            format!("thinking: {id}{} ({})", part.content, part.signature.as_deref().unwrap_or("unsigned"))
        }
        ResponsePart::ToolCall(call) => format!("call {}({})", call.tool_name, call.args.text()),
        other => format!("{other:?}"),
    };
    response.parts.iter().map(part).collect()
}
