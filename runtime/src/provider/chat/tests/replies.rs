//! What replies become, over HTTP.

use super::*;
use crate::error::ErrorKind;
use crate::http::server::{Server, reply};
use crate::message::{FinishReason, ResponsePart};
use crate::model;

pub(super) fn reached(server: &Server) -> OpenAiChatModel {
    let builder = OpenAiChatModel::builder("gpt-5.2").api_key("sk-secret").base_url(format!("{}/v1/", server.url));
    builder.settings(ModelSettings::new().max_retries(0).seed(1)).build().expect("a model")
}

async fn answered(body: &str) -> Result<ModelResponse> {
    let server = Server::start(vec![reply(200, &["x-request-id: r1"], body)]).await;
    model::request(&reached(&server), &question()).await
}

fn completion(message: Value, finish_reason: Value) -> String {
    json!({"id": "c1", "model": "gpt-5.2-x", "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 3},
        "completion_tokens_details": {"reasoning_tokens": 2, "new": null}}, "new": {}})
    .to_string()
}

/// The parts in short: `text: …`, `thinking: …`, `call t(…)`.
pub(crate) fn short(response: &ModelResponse) -> Vec<String> {
    let part = |part: &ResponsePart| match part {
        ResponsePart::Text(part) => format!("text: {}", part.content),
        ResponsePart::Thinking(part) => format!("thinking: {}", part.content),
        ResponsePart::ToolCall(call) => format!("call {}({})", call.tool_name, call.args.text()),
        other => format!("{other:?}"),
    };
    response.parts.iter().map(part).collect()
}

#[tokio::test]
async fn a_question_is_asked_and_answered() {
    let server = Server::start(vec![reply(200, &[], &completion(json!({"content": "done"}), json!("stop")))]).await;
    let response = model::request(&reached(&server), &question()).await.expect("an answer");
    assert_eq!(short(&response), ["text: done"]);
    assert_eq!(response.finish_reason, Some(FinishReason::Stop));
    assert_eq!(response.provider_name.as_deref(), Some("openai"));
    assert_eq!(
        (response.provider_response_id.as_deref(), response.model_name.as_deref()),
        (Some("c1"), Some("gpt-5.2-x"))
    );
    let usage = &response.usage;
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cache_read_tokens), (10, 5, 3));
    assert_eq!(Value::from(usage.details.clone()), json!({"reasoning_tokens": 2}));
    let request = &server.requests()[0];
    assert!(request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: Bearer sk-secret") && request.contains("content-type: application/json"));
    let body: Value = serde_json::from_str(&server.bodies()[0]).expect("JSON");
    assert_eq!(body, json!({"model": "gpt-5.2", "seed": 1, "messages": [{"role": "user", "content": "Go."}]}));
}

#[tokio::test]
async fn calls_come_back_under_the_tools_own_names() {
    let names = ["日本", "a.b", "a_b"];
    let wire: Vec<_> = names.iter().map(|name| crate::provider::name::wire_name(name)).collect();
    let call =
        |id: &str, name: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}});
    let message =
        json!({"content": null, "tool_calls": [call("1", &wire[0]), call("2", &wire[1]), call("3", &wire[2])]});
    let server = Server::start(vec![reply(200, &[], &completion(message, json!("tool_calls")))]).await;
    let input = question().function_tools(names.map(ToolDefinition::new));
    let response = model::request(&reached(&server), &input).await.expect("calls");
    assert_eq!(short(&response), names.map(|name| format!("call {name}({{}})")));
    assert_eq!(response.finish_reason, Some(FinishReason::ToolCall));
}

#[tokio::test]
async fn servers_may_leave_out_what_is_not_needed() {
    let function = |function: Value| json!({"tool_calls": [{"id": "1", "function": function}]});
    for (message, expected) in [
        (json!({}), vec![]),
        (json!({"content": ""}), vec![]),
        (json!({"content": [{"type": "text", "text": "a"}, "b", {"type": "ref"}]}), vec!["text: ab"]),
        (json!({"content": "x", "reasoning_content": "hm", "tool_calls": null}), vec!["thinking: hm", "text: x"]),
        (json!({"content": "x", "reasoning": ""}), vec!["text: x"]),
        (json!({"content": "x", "reasoning": {"odd": 1}}), vec!["text: x"]),
        (function(json!({"name": "t", "arguments": "{\"a\": 1}"})), vec!["call t({\"a\": 1})"]),
        (function(json!({"name": "t", "arguments": {"a": 1}})), vec!["call t({\"a\":1})"]),
        (function(json!({"name": "t", "arguments": null})), vec!["call t({})"]),
        (function(json!({"name": "t", "arguments": ""})), vec!["call t({})"]),
        (function(json!({"name": "t"})), vec!["call t({})"]),
        (function(json!({"name": "t", "arguments": "{\"a"})), vec!["call t({\"a)"]),
        (function(json!(null)), vec!["call ({})"]),
    ] {
        let response = answered(&completion(message.clone(), json!(null))).await.expect("an answer");
        assert_eq!(short(&response), expected, "{message}");
        assert_eq!(response.finish_reason, Some(FinishReason::Stop));
    }
    let no_usage = answered(r#"{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":"many"}}"#).await;
    assert_eq!(no_usage.expect("an answer").usage, crate::RequestUsage::default());
}

#[tokio::test]
async fn calls_without_an_id_are_given_one() {
    let call = json!({"function": {"name": "t", "arguments": "{}"}});
    let empty = json!({"id": "", "function": {"name": "t", "arguments": "{}"}});
    let response =
        answered(&completion(json!({"tool_calls": [call, empty]}), json!("tool_calls"))).await.expect("calls");
    let ids: Vec<_> = response.tool_calls().map(|call| call.tool_call_id.clone()).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1] && ids.iter().all(|id| !id.is_empty()), "{ids:?}");
}

#[tokio::test]
async fn refusals_and_reasons_are_kept() {
    let response =
        answered(&completion(json!({"content": null, "refusal": "No."}), json!("stop"))).await.expect("an answer");
    assert!(response.parts.is_empty() && response.finish_reason == Some(FinishReason::ContentFilter));
    assert_eq!(response.provider_details.map(|details| details.to_value()), Some(json!({"refusal": "No."})));
    for (reason, expected) in [
        ("length", Some(FinishReason::Length)),
        ("content_filter", Some(FinishReason::ContentFilter)),
        ("function_call", Some(FinishReason::ToolCall)),
        ("something new", None),
    ] {
        let response = answered(&completion(json!({"content": "x"}), json!(reason))).await.expect("an answer");
        assert_eq!(response.finish_reason, expected);
    }
}

#[tokio::test]
async fn unusable_replies_are_the_providers_fault() {
    for body in
        ["", "{}", "[]", "null", "OK", "<html>", r#"{"choices":[]}"#, r#"{"choices":null}"#, r#"{"choices":"x"}"#]
    {
        let error = answered(body).await.expect_err("unusable");
        assert_eq!(
            (error.kind(), error.status(), error.request_id()),
            (ErrorKind::Provider, None, Some("r1")),
            "{body}"
        );
    }
    let error = answered(r#"{"error":{"message":"no quota for sk-secret"}}"#).await.expect_err("unusable");
    assert!(error.to_string().contains("no quota for [key]"), "{error}");
}

#[tokio::test]
async fn refused_requests_say_why() {
    for status in [400, 401, 404, 500] {
        let body = json!({"error": {"message": "not with sk-secret"}}).to_string();
        let server = Server::start(vec![reply(status, &[], &body)]).await;
        let error = model::request(&reached(&server), &question()).await.expect_err("refused");
        assert_eq!((error.kind(), error.status()), (ErrorKind::Provider, Some(status)));
        let text = error.to_string();
        assert!(text.contains(&status.to_string()) && text.contains("not with [key]"), "{text}");
    }
}
