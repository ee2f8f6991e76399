//! The run as one writes it by hand for tools one knows: structs, `serde_json`, and a loop.

use std::sync::Arc;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, Request, Url};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright::provider::Transport;

use super::shop::{self, Search};
use super::{MODEL, PROMPT, Run, Server};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    tool_choice: &'a str,
    tools: &'a [Tool],
    messages: &'a [Message],
}

#[derive(Deserialize, Serialize)]
struct Tool {
    r#type: String,
    function: Definition,
}

#[derive(Deserialize, Serialize)]
struct Definition {
    name: String,
    description: String,
    parameters: Value,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Message {
    User { content: String },
    Assistant(Said),
    Tool { tool_call_id: String, content: String },
}

#[derive(Deserialize)]
struct Reply {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Said,
}

#[derive(Deserialize, Serialize)]
struct Said {
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call>,
}

#[derive(Clone, Deserialize, Serialize)]
struct Call {
    id: String,
    r#type: String,
    function: Called,
}

#[derive(Clone, Deserialize, Serialize)]
struct Called {
    name: String,
    arguments: String,
}

pub(super) fn run(server: Arc<Server>, tools: Value) -> Run {
    let tools: Vec<Tool> = serde_json::from_value(tools).expect("tools");
    let tools = Arc::new(tools);
    let url = Url::parse("https://api.openai.com/v1/chat/completions").expect("a URL");
    Box::new(move || Box::pin(converse(server.clone(), url.clone(), tools.clone())))
}

async fn converse(server: Arc<Server>, url: Url, tools: Arc<Vec<Tool>>) -> String {
    let mut messages = vec![Message::User { content: PROMPT.to_owned() }];
    loop {
        let body = Body { model: MODEL, tool_choice: "auto", tools: &tools, messages: &messages };
        let mut request = Request::new(Method::POST, url.clone());
        let headers = [
            (AUTHORIZATION, HeaderValue::from_static("Bearer unused")),
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        ];
        *request.headers_mut() = HeaderMap::from_iter(headers);
        *request.body_mut() = Some(serde_json::to_vec(&body).expect("JSON").into());
        let response = server.send(request).await.expect("a reply").error_for_status().expect("a success");
        let reply = response.bytes().await.expect("a whole reply");
        let reply: Reply = serde_json::from_slice(&reply).expect("the API's form");
        let said = reply.choices.into_iter().next().expect("a choice").message;
        if said.tool_calls.is_empty() {
            return said.content.expect("an answer");
        }
        let answers: Vec<_> = said.tool_calls.iter().map(|call| answer(call, &tools)).collect();
        messages.push(Message::Assistant(said));
        messages.extend(answers);
    }
}

fn answer(call: &Call, tools: &[Tool]) -> Message {
    assert!(tools.iter().any(|tool| tool.function.name == call.function.name), "a tool that is there");
    let found = shop::search(read_arguments(&call.function.arguments));
    Message::Tool { tool_call_id: call.id.clone(), content: serde_json::to_string(&found).expect("JSON") }
}

pub(super) fn read_arguments(text: &str) -> Search {
    serde_json::from_str(text).expect("arguments that fit")
}
