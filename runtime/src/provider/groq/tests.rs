//! What differs from OpenAI.

use serde_json::{Value, json};

use super::*;
use crate::error::{ErrorKind, Result};
use crate::http::server::{Say, Server, reply};
use crate::message::{FinishReason, ModelResponse, ThinkingPart};
use crate::model::{self, ModelInput, ModelSettings, PartEvents, RequestCache, Thinking, ToolChoice};
use crate::provider::chat::tests::replies::short;
use crate::provider::chat::tests::{ask, question, sent, tools, user};
use crate::{BinaryContent, Model, ToolDefinition};

fn model(name: &str) -> GroqModel {
    GroqModel::builder(name).api_key("gsk-secret").build().expect("a model")
}

fn body(name: &str, settings: ModelSettings) -> Value {
    sent(&model(name).0, &question().settings(settings)).expect("a body").0
}

async fn answered(replies: Vec<Say>, streamed: bool) -> Result<ModelResponse> {
    let server = Server::start(replies).await;
    let settings = ModelSettings::new().max_retries(0);
    let model = GroqModel::builder("m").api_key("gsk-secret").base_url(&server.url).settings(settings).build()?;
    let input = question().function_tools(tools("t"));
    match streamed {
        true => model.request_stream(&input, &mut RequestCache::default(), &mut PartEvents::unheard()).await,
        false => model::request(&model, &input).await,
    }
}

#[test]
fn it_is_found_below_its_url() {
    for (url, endpoint) in [
        ("https://api.groq.com", "https://api.groq.com/openai/v1/chat/completions"),
        ("http://localhost:1/groq/openai/v1/", "http://localhost:1/groq/openai/v1/chat/completions"),
    ] {
        let model = GroqModel::builder("m").api_key("k").base_url(url).build().expect("a model");
        assert_eq!(model.0.api.endpoint.as_str(), endpoint);
    }
    assert_eq!(model("m").0.api.endpoint.as_str(), "https://api.groq.com/openai/v1/chat/completions");
    let shown = format!("{:?} {:?}", model("m"), GroqModel::builder("m").api_key("gsk-secret"));
    assert!(!shown.contains("secret"), "{shown}");
    if std::env::var_os("GROQ_API_KEY").is_none() {
        let error = GroqModel::new("m").expect_err("no key");
        assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("GROQ_API_KEY"), "{error}");
    }
}

#[test]
fn thinking_is_asked_for_as_each_model_takes_it() {
    let think = |name: &str, thinking| body(name, ModelSettings::new().thinking(thinking).temperature(0.5));
    let told = |body: &Value| (body["reasoning_format"].clone(), body["reasoning_effort"].clone());
    let gpt = think("openai/gpt-oss-120b", Thinking::High);
    assert_eq!(told(&gpt), (json!("parsed"), json!("high")));
    assert_eq!(gpt["temperature"], 0.5);
    assert_eq!(told(&think("openai/gpt-oss-20b", Thinking::Off)), (json!("hidden"), json!("low")));
    assert_eq!(told(&think("qwen/qwen3-32b", Thinking::Off)), (json!(null), json!("none")));
    assert_eq!(told(&think("qwen/qwen3-32b", Thinking::Low)), (json!("parsed"), json!(null)));
    assert_eq!(told(&think("llama-3.3-70b-versatile", Thinking::High)), (json!(null), json!(null)));
}

#[test]
fn several_tools_are_chosen_by_leaving_out_the_others() {
    let input = question().function_tools(tools("a b c"));
    let chosen = |choice| {
        let input = input.clone().settings(ModelSettings::new().tool_choice(choice));
        let (body, _) = sent(&model("m").0, &input).expect("a body");
        (body["tool_choice"].clone(), body["tools"].as_array().map_or(0, Vec::len))
    };
    assert_eq!(chosen(ToolChoice::tools(["a", "b"])), (json!("required"), 2));
    let one = json!({"type": "function", "function": {"name": "b"}});
    assert_eq!(chosen(ToolChoice::tools(["b"])), (one, 3));
    assert_eq!(chosen(ToolChoice::None), (json!("none"), 3));
}

#[test]
fn schemas_are_sent_as_they_are_but_never_strict() {
    let schema = json!({"type": "object", "title": "T", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"const": 1}}});
    let input = question().function_tools([ToolDefinition::new("t").with_parameters(schema.clone()).with_strict(true)]);
    let function = |name: &str| {
        let (body, notes) = sent(&model(name).0, &input).expect("a body");
        assert_eq!(notes.len(), 1, "it says that it is not strict");
        body["tools"][0]["function"].clone()
    };
    assert_eq!(function("somebody/else"), json!({"name": "t", "description": "", "parameters": schema}));
    let inlined = json!({"type": "object", "title": "T", "properties": {"a": {"const": 1}}});
    assert_eq!(function("llama-3.1-8b-instant")["parameters"], inlined);
}

#[test]
fn its_own_thoughts_go_back_in_tags() {
    let response = |provider: &str| {
        let mut response = ModelResponse::new(vec![
            crate::message::ResponsePart::Thinking(ThinkingPart::new("hm")),
            crate::message::TextPart::new("4").into(),
        ]);
        response.provider_name = Some(provider.to_owned());
        response
    };
    let said = |provider| {
        let history = [user("2+2?"), response(provider).into(), user("Sure?")].into_iter().collect();
        let (body, _) = sent(&model("m").0, &ModelInput::new(history)).expect("a body");
        body["messages"][1]["content"].clone()
    };
    assert_eq!(said("groq"), "<think>\nhm\n</think>\n\n4");
    assert_eq!(said("anthropic"), "4");
}

#[test]
fn text_files_are_for_prompts_alone() {
    use crate::message::{RequestPart, UserContent, UserPromptPart};
    let prompt = |content: BinaryContent| {
        let prompt = ask(vec![RequestPart::UserPrompt(UserPromptPart::new(vec![UserContent::File(content.into())]))]);
        sent(&model("m").0, &ModelInput::new([prompt].into_iter().collect()))
    };
    let (body, _) = prompt(BinaryContent::new(*b"a,b", "text/csv")).expect("a body");
    assert!(body["messages"][0]["content"][0]["text"].as_str().is_some_and(|text| text.contains("a,b")));
    assert_eq!(prompt(BinaryContent::new(*b"x", "application/pdf")).expect_err("misuse").kind(), ErrorKind::Misuse);
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn failed(written: &str) -> String {
    json!({"error": {"message": "no", "type": "invalid_request_error", "code": "tool_use_failed",
        "failed_generation": written, "status_code": 400}})
    .to_string()
}

#[tokio::test]
async fn a_response_that_was_not_let_pass_is_one_all_the_same() {
    let call = r#"{"name": "t", "arguments": {"foo":1}}"#;
    for (written, parts) in [(call, vec!["call t({\"foo\":1})"]), ("maybe", vec!["text: maybe"]), ("", vec![])] {
        for streamed in [false, true] {
            let refusal = reply(400, &[], &failed(written));
            let response = answered(vec![refusal], streamed).await.expect("a response");
            assert_eq!((short(&response), response.finish_reason), (owned(&parts), Some(FinishReason::Error)));
            assert_eq!(response.provider_name.as_deref(), Some("groq"));
        }
    }
    let other = r#"{"error": {"message": "bad", "code": "model_not_found"}}"#;
    let error = answered(vec![reply(404, &[], other)], false).await.expect_err("a refusal");
    assert_eq!((error.status(), error.code()), (Some(404), Some("model_not_found")));
}

#[tokio::test]
async fn a_stream_that_is_not_let_pass_ends_with_what_was_written() {
    let chunk = |delta: Value| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta}]}));
    let begun = chunk(json!({"reasoning": "hm"})) + &chunk(json!({"content": "Well"}));
    let call = r#"{"name": "t", "arguments": {}}"#;
    for (written, parts) in
        [("", vec!["thinking: hm", "text: Well"]), (call, vec!["thinking: hm", "text: Well", "call t({})"])]
    {
        let events = format!("{begun}event: error\ndata: {}\n\n", failed(written));
        let reply = reply(200, &["content-type: text/event-stream"], &events);
        let response = answered(vec![reply], true).await.expect("a response");
        assert_eq!((short(&response), response.finish_reason), (owned(&parts), None));
    }
    let told = format!("{begun}data: {}\n\n", json!({"error": {"message": "overloaded"}}));
    let reply = reply(200, &["content-type: text/event-stream"], &told);
    let error = answered(vec![reply], true).await.expect_err("an error");
    assert!(error.to_string().contains("overloaded") && error.is_retryable(), "{error}");
}

#[tokio::test]
async fn usage_is_read_wherever_it_stands() {
    let events = [
        json!({"choices": [{"index": 0, "delta": {"content": "4"}}]}),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
            "x_groq": {"id": "r", "usage": {"prompt_tokens": 7, "completion_tokens": 2}}}),
    ];
    let events: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let response = answered(vec![reply(200, &["content-type: text/event-stream"], &events)], true).await;
    let usage = response.expect("a response").usage;
    assert_eq!((usage.input_tokens, usage.output_tokens), (7, 2));
}
