//! What replies become, over HTTP.

use super::*;
use crate::error::ErrorKind;
use crate::http::server::{Server, reply};
use crate::message::{FinishReason, History, ResponsePart};
use crate::model;

pub(super) fn reached(server: &Server) -> OpenAiResponsesModel {
    let builder = OpenAiResponsesModel::builder("gpt-5.2").api_key("sk-secret").base_url(format!("{}/v1/", server.url));
    builder.settings(ModelSettings::new().max_retries(0).max_tokens(1)).build().expect("a model")
}

async fn answered(body: &str) -> Result<ModelResponse> {
    let server = Server::start(vec![reply(200, &["x-request-id: r1"], body)]).await;
    model::request(&reached(&server), &question()).await
}

/// A whole response of the API.
pub(super) fn whole(output: Value) -> Value {
    json!({"id": "resp_1", "object": "response", "model": "gpt-5.2-x", "status": "completed", "output": output, "error": null,
        "usage": {"input_tokens": 10, "output_tokens": 5, "input_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 2},
        "output_tokens_details": {"reasoning_tokens": 2, "new": null}}, "incomplete_details": null, "new": {}})
}

pub(super) fn message(id: &str, text: &str) -> Value {
    let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
    json!({"type": "message", "id": id, "role": "assistant", "status": "completed", "content": content})
}

pub(super) fn function_call(id: &str, call_id: &str, name: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": id, "call_id": call_id, "name": name, "arguments": arguments})
}

/// The parts in short: `text: … [id]`, `thinking: … [id signature]`, `call t(…) [id]`.
pub(super) fn short(response: &ModelResponse) -> Vec<String> {
    let or_none = |text: &Option<String>| text.clone().unwrap_or("-".to_owned());
    let part = |part: &ResponsePart| match part {
        ResponsePart::Text(part) => format!("text: {} [{}]", part.content, or_none(&part.id)),
        ResponsePart::Thinking(part) => {
            format!("thinking: {} [{} {}]", part.content, or_none(&part.id), or_none(&part.signature))
        }
        ResponsePart::ToolCall(call) => {
            format!("call {}({}) [{}]", call.tool_name, call.args.text(), or_none(&call.id))
        }
        other => format!("{other:?}"),
    };
    response.parts.iter().map(part).collect()
}

#[tokio::test]
async fn a_question_is_asked_and_answered() {
    let server = Server::start(vec![reply(200, &[], &whole(json!([message("msg_1", "done")])).to_string())]).await;
    let response = model::request(&reached(&server), &question()).await.expect("an answer");
    assert_eq!(short(&response), ["text: done [msg_1]"]);
    assert_eq!(response.finish_reason, Some(FinishReason::Stop));
    assert_eq!(response.provider_name.as_deref(), Some("openai"));
    let ids = (response.provider_response_id.as_deref(), response.model_name.as_deref());
    assert_eq!(ids, (Some("resp_1"), Some("gpt-5.2-x")));
    let usage = &response.usage;
    let counts = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens);
    assert_eq!(counts, (10, 5, 3, 2));
    assert_eq!(Value::from(usage.details.clone()), json!({"reasoning_tokens": 2}));
    let request = &server.requests()[0];
    assert!(request.starts_with("POST /v1/responses HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: Bearer sk-secret") && request.contains("content-type: application/json"));
}

#[tokio::test]
async fn calls_come_back_under_the_tools_own_names() {
    let names = ["日本", "a.b", "a_b"];
    let calls: Vec<_> = names.iter().map(|name| crate::provider::name::wire_name(name)).zip(1..).collect();
    let output = calls.iter().map(|(name, id)| function_call(&format!("fc_{id}"), &format!("call_{id}"), name, "{}"));
    let body = whole(output.collect()).to_string();
    let server = Server::start(vec![reply(200, &[], &body)]).await;
    let input = question().function_tools(names.map(ToolDefinition::new));
    let response = model::request(&reached(&server), &input).await.expect("calls");
    let called: Vec<_> = response.tool_calls().map(|call| (&*call.tool_name, &*call.tool_call_id)).collect();
    assert_eq!(called, [("日本", "call_1"), ("a.b", "call_2"), ("a_b", "call_3")]);
}

#[tokio::test]
async fn items_become_parts_and_unknown_ones_nothing() {
    let summary =
        |texts: &[&str]| -> Value { texts.iter().map(|text| json!({"type": "summary_text", "text": text})).collect() };
    let reasoning = |summary: Value, secret: Value| json!({"type": "reasoning", "id": "r", "summary": summary, "encrypted_content": secret});
    let content = |content: Value| json!({"type": "message", "id": "m", "content": content});
    let call = |more: Value| {
        let mut item = json!({"type": "function_call", "id": "f", "call_id": "c", "name": "t"});
        item.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        item
    };
    for (item, expected) in [
        (reasoning(summary(&["a", "b"]), json!("S")), vec!["thinking: a [r S]", "thinking: b [r -]"]),
        (reasoning(summary(&["a"]), json!(null)), vec!["thinking: a [r -]"]),
        (reasoning(json!([]), json!("S")), vec!["thinking:  [r S]"]),
        (reasoning(json!(null), json!("")), vec![]),
        (json!({"type": "reasoning"}), vec![]),
        (content(json!([])), vec![]),
        (content(json!(null)), vec![]),
        (content(json!([{"type": "output_text", "text": null}, {"type": "output_text", "text": ""}])), vec![]),
        (content(json!([{"type": "odd", "text": "x"}, {"type": "output_text", "text": "y"}])), vec!["text: y [m]"]),
        (json!({"type": "message", "content": [{"type": "output_text", "text": "y"}]}), vec!["text: y [-]"]),
        (call(json!({"arguments": "{\"a\": 1}"})), vec!["call t({\"a\": 1}) [f]"]),
        (call(json!({"arguments": {"a": 1}})), vec!["call t({\"a\":1}) [f]"]),
        (call(json!({"arguments": null})), vec!["call t({}) [f]"]),
        (call(json!({"arguments": "{\"a"})), vec!["call t({\"a) [f]"]),
        (json!({"type": "newer_call", "id": "w", "content": 3, "summary": "?"}), vec![]),
        (json!({"type": "from_the_future"}), vec![]),
        (json!({}), vec![]),
    ] {
        let response = answered(&whole(json!([item])).to_string()).await.expect("an answer");
        assert_eq!(short(&response), expected, "{item}");
    }
    let no_usage = answered(r#"{"output":[],"usage":{"input_tokens":"many"}}"#).await.expect("an answer");
    assert_eq!((no_usage.usage, no_usage.finish_reason), (crate::RequestUsage::default(), None));
    let nameless = answered(&whole(json!([{"type": "function_call"}])).to_string()).await.expect("an answer");
    assert!(nameless.tool_calls().all(|call| call.tool_name.is_empty() && !call.tool_call_id.is_empty()));
}

#[tokio::test]
async fn what_the_api_gives_survives_storing_and_goes_back() {
    let mut commentary = message("msg_1", "Let me.");
    commentary["phase"] = json!("commentary");
    let mut call = function_call("fc_1", "call_1", "t", "{}");
    call["namespace"] = json!("n");
    let summary = json!([{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}]);
    let raw = json!([{"type": "reasoning_text", "text": "hm"}]);
    let reasoning =
        json!({"type": "reasoning", "id": "rs_1", "summary": summary, "content": raw, "encrypted_content": "S"});
    let server = Server::start(vec![reply(200, &[], &whole(json!([reasoning, commentary, call])).to_string())]).await;
    let builder = OpenAiResponsesModel::builder("gpt-5.4").api_key("k").base_url(format!("{}/v1", server.url));
    let model = builder.build().expect("a model");
    let response = model::request(&model, &question()).await.expect("an answer");
    let history: History = [user("Go."), response.into()].into_iter().collect();
    let history = History::from_json(&history.to_json()).expect("the same history");
    let body = body_of(&model, &ModelInput::new(history)).expect("a body");
    let items = body["input"].as_array().expect("items");
    assert_eq!(items[1], reasoning);
    assert_eq!(items[2], commentary);
    assert_eq!(items[3], call);
}

#[tokio::test]
async fn refusals_and_reasons_are_kept() {
    let refusal = json!([{"type": "message", "id": "m", "content": [{"type": "refusal", "refusal": "No."}]}]);
    let response = answered(&whole(refusal).to_string()).await.expect("an answer");
    assert!(response.parts.is_empty() && response.finish_reason == Some(FinishReason::ContentFilter));
    assert_eq!(response.provider_details.map(|details| details.to_value()), Some(json!({"refusal": "No."})));
    for (status, reason, expected) in [
        ("incomplete", json!("max_output_tokens"), Some(FinishReason::Length)),
        ("incomplete", json!("content_filter"), Some(FinishReason::ContentFilter)),
        ("incomplete", json!("something new"), None),
        ("incomplete", json!(null), None),
        ("failed", json!(null), Some(FinishReason::Error)),
        ("cancelled", json!(null), Some(FinishReason::Error)),
        ("queued", json!(null), None),
    ] {
        let mut body = whole(json!([message("m", "x")]));
        body["status"] = json!(status);
        body["incomplete_details"] = json!({"reason": reason});
        assert_eq!(answered(&body.to_string()).await.expect("an answer").finish_reason, expected, "{body}");
    }
}

#[tokio::test]
async fn unusable_replies_are_the_providers_fault() {
    for body in [
        "",
        "{}",
        "[]",
        "null",
        "OK",
        "<html>",
        r#"{"output":null}"#,
        r#"{"output":"x"}"#,
        r#"{"output":[1]}"#,
        r#"{"output":[{"type":"message","content":"x"}]}"#,
        r#"{"output":[],"error":{"message":"x"}}"#,
    ] {
        let error = answered(body).await.expect_err("unusable");
        let seen = (error.kind(), error.status(), error.request_id());
        assert_eq!(seen, (ErrorKind::Provider, None, Some("r1")), "{body}");
    }
    let error = answered(r#"{"output":[],"error":{"code":"x","message":"no quota for sk-secret"}}"#).await;
    let error = error.expect_err("unusable");
    assert!(error.to_string().contains("no quota for [key]"), "{error}");
}

#[tokio::test]
async fn refused_requests_say_why() {
    for status in [400, 401, 404, 500] {
        let body = json!({"error": {"message": "not with sk-secret", "code": "no_way"}}).to_string();
        let server = Server::start(vec![reply(status, &[], &body)]).await;
        let error = model::request(&reached(&server), &question()).await.expect_err("refused");
        assert_eq!((error.kind(), error.status(), error.code()), (ErrorKind::Provider, Some(status), Some("no_way")));
        let text = error.to_string();
        assert!(text.contains(&status.to_string()) && text.contains("not with [key]"), "{text}");
    }
}
