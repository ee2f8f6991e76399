//! What differs from OpenAI.

use serde_json::{Value, json};

use super::*;
use crate::Model;
use crate::error::ErrorKind;
use crate::http::server::{Server, reply};
use crate::message::{ModelResponse, ResponsePart};
use crate::model::{ModelSettings, PartEvents, RequestCache, ToolChoice};
use crate::provider::chat::tests::replies::short;
use crate::provider::chat::tests::{question, sent, tools};

fn model(name: &str) -> HuggingFaceModel {
    HuggingFaceModel::builder(name).api_key("hf-secret").build().expect("a model")
}

#[test]
fn it_is_found_below_its_url() {
    for (url, endpoint) in [
        ("https://router.huggingface.co", "https://router.huggingface.co/v1/chat/completions"),
        ("http://localhost:8080/v1", "http://localhost:8080/v1/chat/completions"),
    ] {
        let model = HuggingFaceModel::builder("m").api_key("k").base_url(url).build().expect("a model");
        assert_eq!(model.0.api.endpoint.as_str(), endpoint);
    }
    assert_eq!(model("m").0.api.endpoint.as_str(), "https://router.huggingface.co/v1/chat/completions");
    if std::env::var_os("HF_TOKEN").is_none() {
        let error = HuggingFaceModel::new("m").expect_err("no key");
        assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("HF_TOKEN"), "{error}");
    }
}

#[test]
fn bodies_are_as_the_router_takes_them() {
    let (body, _) = sent(&model("m").0, &question().settings(ModelSettings::new().max_tokens(9))).expect("a body");
    assert_eq!(
        body,
        json!({"model": "m", "max_tokens": 9, "tools": [], "messages": [{"role": "user", "content": "Go."}]})
    );
    let settings = ModelSettings::new().parallel_tool_calls(false).tool_choice(ToolChoice::tools(["b"]));
    let input = question().function_tools(tools("a b")).settings(settings);
    let (body, notes) = sent(&model("m").0, &input).expect("a body");
    assert_eq!(body["tool_choice"], json!({"function": {"name": "b"}}));
    assert_eq!((body.get("parallel_tool_calls"), notes.len()), (None, 1));
    assert!(notes[0].contains("parallel_tool_calls"), "{notes:?}");
}

#[test]
fn families_have_their_schemas() {
    use SchemaForm::{Inlined, Plain};
    for (name, schemas) in
        [("Qwen/Qwen3-32B", Inlined), ("meta-llama/Llama-4", Inlined), ("openai/gpt-oss-120b", Inlined), ("a/b", Plain)]
    {
        let profile = profile(name);
        assert_eq!((profile.schemas, profile.forced_tool_choice), (schemas, true), "{name}");
    }
}

async fn streamed(words: &[&str]) -> ModelResponse {
    let chunk = |delta: Value, stop: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": stop}]});
    let mut events: Vec<_> = words.iter().map(|words| chunk(json!({"content": words}), json!(null))).collect();
    events.push(chunk(json!({}), json!("eos_token")));
    events.push(json!({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}));
    let events: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let server = Server::start(vec![reply(200, &["content-type: text/event-stream"], &events)]).await;
    let builder = HuggingFaceModel::builder("Qwen/Qwen3-32B").api_key("k").base_url(&server.url);
    let model = builder.build().expect("a model");
    let (input, mut cache) = (question(), RequestCache::default());
    model.request_stream(&input, &mut cache, &mut PartEvents::unheard()).await.expect("a response")
}

#[tokio::test]
async fn thoughts_are_told_from_text_in_streams() {
    let expected = ["thinking: \nhm\n", "text: It is 4."];
    for words in [
        vec!["<think>", "\n", "hm", "\n", "</think>", "\n\n", "It is", " 4."],
        vec!["<thi", "nk>\nhm\n</th", "ink>", "It is 4."],
        vec!["<think>\nhm\n</think>It is 4."],
    ] {
        let response = streamed(&words).await;
        assert_eq!(short(&response), expected, "{words:?}");
        let ResponsePart::Thinking(thought) = &response.parts[0] else { unreachable!("a thought") };
        assert_eq!((&thought.id, &thought.provider_name), (&None, &None));
        assert_eq!(response.provider_name.as_deref(), Some("huggingface"));
    }
}
