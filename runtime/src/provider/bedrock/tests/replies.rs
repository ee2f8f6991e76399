//! What replies become.

use super::*;
use crate::error::ErrorKind;
use crate::message::FinishReason;
use crate::model;

fn reply(content: Value, stop_reason: &str) -> Vec<u8> {
    json!({"output": {"message": {"role": "assistant", "content": content}}, "stopReason": stop_reason, "new": {},
        "metrics": {"latencyMs": 1}, "trace": {"guardrail": {}},
        "usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15, "cacheReadInputTokens": 3, "new": {},
            "cacheWriteInputTokens": 2, "cacheDetails": [{"inputTokens": 1, "ttl": "5m"}, {"inputTokens": 1, "ttl": "1h"}]}})
    .to_string()
    .into_bytes()
}

async fn answered(status: u16, body: impl Into<Vec<u8>>) -> Result<ModelResponse> {
    let server = Canned::with([(status, body.into())]);
    let builder = BedrockModel::builder(NOVA).api_key("sk-secret").base_url("http://localhost:1");
    let model = builder.settings(ModelSettings::new().max_retries(0)).transport(server).build()?;
    model::request(&model, &question().function_tools([ToolDefinition::new("a.b")])).await
}

async fn parts(content: Value) -> Vec<String> {
    short(&answered(200, reply(content, "end_turn")).await.expect("an answer"))
}

#[tokio::test]
async fn a_question_is_asked_and_answered() {
    let server = Canned::with([(200, reply(json!([{"text": "done"}]), "end_turn"))]);
    let builder = BedrockModel::builder(NOVA).api_key("sk-secret").base_url("http://localhost:1");
    let model = builder.transport(server.clone()).build().expect("a model");
    let response = model::request(&model, &question()).await.expect("an answer");
    assert_eq!((short(&response), response.finish_reason), (vec!["text: done".to_owned()], Some(FinishReason::Stop)));
    assert_eq!((response.provider_name.as_deref(), response.model_name.as_deref()), (Some("bedrock"), Some(NOVA)));
    assert_eq!(response.provider_response_id.as_deref(), Some("r1"));
    let usage = &response.usage;
    assert_eq!((usage.input_tokens, usage.output_tokens), (15, 5));
    assert_eq!((usage.cache_write_tokens, usage.cache_read_tokens), (2, 3));
    assert_eq!(Value::from(usage.details.clone()), json!({"ephemeral_1h_input_tokens": 1}));
    let details = response.provider_details.as_ref().map(crate::Json::to_value);
    assert_eq!(details, Some(json!({"finish_reason": "end_turn", "trace": {"guardrail": {}}})));
    let request = &server.sent()[0];
    assert_eq!(request.url().path(), "/model/us.amazon.nova-pro-v1%3A0/converse");
    assert_eq!(header(request, "authorization"), Some("Bearer sk-secret"));
    assert!(!format!("{request:?}").contains("secret"));
}

#[tokio::test]
async fn blocks_become_parts() {
    let wire = crate::provider::name::wire_name("a.b");
    let call = json!({"toolUse": {"toolUseId": "1", "name": wire, "input": {"x": 1}}});
    assert_eq!(parts(json!([{"text": "a"}, {"text": ""}, call])).await, ["text: a", r#"call a.b({"x":1})"#]);
    let absent = json!([{"toolUse": {"toolUseId": "1", "name": "t"}}, {"toolUse": {"name": "t", "input": null}}]);
    assert_eq!(parts(absent).await, ["call t({})", "call t({})"]);
    let servers = json!([
        {"toolUse": {"toolUseId": "1", "name": "nova_code_interpreter", "type": "server_tool_use", "input": {}}},
        {"toolResult": {"toolUseId": "1", "type": "nova_code_interpreter_result", "content": []}},
        {"fromTheFuture": {}}, {},
        {"citationsContent": {"content": [{"text": "cited "}, {"text": "text"}], "citations": [{"title": "t"}]}},
    ]);
    assert_eq!(parts(servers).await, ["text: cited text"]);
    let thoughts = json!([
        {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
        {"reasoningContent": {"reasoningText": {"text": "so"}}},
        {"reasoningContent": {"redactedContent": "dGV4dA=="}},
        {"reasoningContent": {"redactedContent": "/w=="}},
        {"reasoningContent": {}},
    ]);
    let expected = [
        "thinking: hm (s)",
        "thinking: so (unsigned)",
        "thinking: redacted_content  (text)",
        "thinking: redacted_bytes  (/w==)",
    ];
    assert_eq!(parts(thoughts).await, expected);
}

#[tokio::test]
async fn every_reason_to_stop_is_known() {
    for (reason, expected) in [
        ("stop_sequence", Some(FinishReason::Stop)),
        ("max_tokens", Some(FinishReason::Length)),
        ("tool_use", Some(FinishReason::ToolCall)),
        ("guardrail_intervened", Some(FinishReason::ContentFilter)),
        ("malformed_tool_use", Some(FinishReason::Error)),
        ("from_the_future", None),
    ] {
        let response = answered(200, reply(json!([]), reason)).await.expect("an answer");
        assert_eq!(response.finish_reason, expected, "{reason}");
    }
}

#[tokio::test]
async fn what_cannot_be_used_is_an_error() {
    for (body, words) in [
        ("<html>", "not the JSON"),
        ("{}", "no `output`"),
        (r#"{"message": "odd"}"#, "odd"),
        (r#"{"output": {"message": {"content": [{"text": 7}]}}}"#, "not the JSON"),
        (r#"{"output": {"message": {"content": 7}}}"#, "not the JSON"),
    ] {
        let error = answered(200, body).await.expect_err("unusable");
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!((error.kind(), error.status()), (ErrorKind::Provider, None));
    }
    let lenient = answered(200, r#"{"output": {}, "usage": {"inputTokens": -1}}"#).await.expect("an answer");
    assert!(lenient.parts.is_empty() && lenient.usage.input_tokens == 0);
}

#[tokio::test]
async fn refusals_say_why_and_never_the_key() {
    let error = answered(400, r#"{"message": "sk-secret is odd"}"#).await.expect_err("refused");
    assert!(error.to_string().contains("[key] is odd"), "{error}");
    assert_eq!(error.status(), Some(400));
    for (status, retryable) in [(400, false), (403, false), (424, false), (429, true), (503, true)] {
        assert_eq!(answered(status, "").await.expect_err("refused").is_retryable(), retryable, "{status}");
    }
}
