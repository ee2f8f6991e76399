//! What replies become, over HTTP.

use super::*;
use crate::error::ErrorKind;
use crate::http::server::{Server, reply};
use crate::message::{FinishReason, ResponsePart};
use crate::model;

pub(super) fn reached(server: &Server) -> AnthropicModelBuilder {
    let builder = AnthropicModel::builder("claude-sonnet-4-5").api_key("sk-secret").base_url(&server.url);
    builder.settings(ModelSettings::new().max_retries(0).max_tokens(9))
}

async fn answered(body: &str) -> Result<ModelResponse> {
    let server = Server::start(vec![reply(200, &["request-id: r1"], body)]).await;
    model::request(&reached(&server).build()?, &question()).await
}

pub(super) fn message(content: Value, stop_reason: Value) -> String {
    json!({"id": "m1", "type": "message", "role": "assistant", "model": "claude-x", "content": content,
        "stop_reason": stop_reason, "new": {}, "usage": {"input_tokens": 10, "output_tokens": 5, "new": null,
        "cache_creation_input_tokens": 2, "cache_read_input_tokens": 3, "cache_creation": {"ephemeral_1h_input_tokens": 1},
        "output_tokens_details": {"thinking_tokens": 4}}})
    .to_string()
}

/// The parts in short: `text: …`, `thinking: …`, `call t(…)`.
pub(super) fn short(response: &ModelResponse) -> Vec<String> {
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

#[tokio::test]
async fn a_question_is_asked_and_answered() {
    let body = message(json!([{"type": "text", "text": "done"}]), json!("end_turn"));
    let server = Server::start(vec![reply(200, &[], &body)]).await;
    let model = reached(&server).beta("a-1").beta("b-2").build().expect("a model");
    let response = model::request(&model, &question()).await.expect("an answer");
    assert_eq!((short(&response), response.finish_reason), (vec!["text: done".to_owned()], Some(FinishReason::Stop)));
    assert_eq!(response.provider_name.as_deref(), Some("anthropic"));
    assert_eq!(
        (response.provider_response_id.as_deref(), response.model_name.as_deref()),
        (Some("m1"), Some("claude-x"))
    );
    let usage = &response.usage;
    assert_eq!((usage.input_tokens, usage.output_tokens), (15, 5));
    assert_eq!((usage.cache_write_tokens, usage.cache_read_tokens), (2, 3));
    let details = Value::from(usage.details.clone());
    assert_eq!(details, json!({"thinking_tokens": 4, "ephemeral_1h_input_tokens": 1}));
    let request = &server.requests()[0];
    assert!(request.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{request}");
    for header in ["x-api-key: sk-secret", "anthropic-version: 2023-06-01", "anthropic-beta: a-1,b-2"] {
        assert!(request.contains(header), "{request}");
    }
}

#[tokio::test]
async fn betas_are_only_asked_for_when_somebody_does() {
    let body = message(json!([]), json!("end_turn"));
    let server = Server::start(vec![reply(200, &[], &body), reply(200, &[], &body)]).await;
    let model = reached(&server).build().expect("a model");
    model::request(&model, &question()).await.expect("an answer");
    let headers = vec![("anthropic-beta".to_owned(), "mine".to_owned())];
    let settings = ModelSettings::new().extra_headers(headers);
    let model = reached(&server).beta("a-1").build().expect("a model");
    model::request(&model, &question().settings(settings)).await.expect("an answer");
    let requests = server.requests();
    assert!(
        !requests[0].contains("anthropic-beta") && requests[1].contains("anthropic-beta: mine\r\n"),
        "{requests:?}"
    );
}

#[tokio::test]
async fn every_known_block_is_read_and_others_are_passed_over() {
    let content = json!([
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "redacted_thinking", "data": "d"},
        {"type": "newer_tool_use", "id": "x", "name": "web_search", "input": {"query": "q"}},
        {"type": "from_the_future", "text": {"odd": 1}},
        {"text": "typeless"},
        {"type": "text", "text": "a", "citations": []},
        {"type": "tool_use", "id": "1", "name": "t", "input": {"b": 1.0, "a": [2]}},
        {"type": "tool_use", "name": "u"},
        {"type": "text", "text": "b"},
    ]);
    let response = answered(&message(content, json!("tool_use"))).await.expect("an answer");
    let expected = [
        "thinking: hm (s)",
        "thinking: redacted_thinking  (d)",
        "text: a",
        r#"call t({"b":1.0,"a":[2]})"#,
        "call u({})",
        "text: b",
    ];
    assert_eq!(
        (short(&response), response.finish_reason),
        (expected.map(str::to_owned).into(), Some(FinishReason::ToolCall))
    );
    assert!(response.tool_calls().all(|call| !call.tool_call_id.is_empty()));
}

#[tokio::test]
async fn calls_come_back_under_the_tools_own_names() {
    let names = ["日本", "a.b", "a_b"];
    let blocks: Vec<_> = names
        .iter()
        .map(|name| json!({"type": "tool_use", "id": "1", "name": crate::provider::name::wire_name(name), "input": {}}))
        .collect();
    let server = Server::start(vec![reply(200, &[], &message(json!(blocks), json!("tool_use")))]).await;
    let input = question().function_tools(names.map(ToolDefinition::new));
    let response = model::request(&reached(&server).build().expect("a model"), &input).await.expect("calls");
    assert_eq!(short(&response), names.map(|name| format!("call {name}({{}})")));
}

#[tokio::test]
async fn reasons_and_refusals_are_kept() {
    for (reason, expected) in [
        (json!("max_tokens"), Some(FinishReason::Length)),
        (json!("model_context_window_exceeded"), Some(FinishReason::Length)),
        (json!("stop_sequence"), Some(FinishReason::Stop)),
        (json!("pause_turn"), None),
        (json!("something new"), None),
        (json!(null), None),
    ] {
        let response = answered(&message(json!([]), reason)).await.expect("an answer");
        assert_eq!(response.finish_reason, expected);
    }
    let refused =
        r#"{"content": [], "stop_reason": "refusal", "stop_details": {"explanation": "No.", "category": "c"}}"#;
    let response = answered(refused).await.expect("an answer");
    assert_eq!(response.finish_reason, Some(FinishReason::ContentFilter));
    let details = json!({"finish_reason": "refusal", "refusal": "No.", "refusal_category": "c"});
    assert_eq!(response.provider_details.map(|details| details.to_value()), Some(details));
    let odd =
        r#"{"content": [{"type": "text", "text": "x"}], "stop_details": "odd", "usage": {"input_tokens": "many"}}"#;
    assert_eq!(answered(odd).await.expect("an answer").usage, crate::RequestUsage::default());
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
        r#"{"content": null}"#,
        r#"{"content": "x"}"#,
        r#"{"content": [1]}"#,
        r#"{"content": [{"type": "text", "text": 5}]}"#,
    ] {
        let error = answered(body).await.expect_err("unusable");
        let told = (error.kind(), error.status(), error.request_id());
        assert_eq!(told, (ErrorKind::Provider, None, Some("r1")), "{body}");
    }
    let error =
        answered(r#"{"type": "error", "error": {"message": "no quota for sk-secret"}}"#).await.expect_err("unusable");
    assert!(error.to_string().contains("no quota for [key]"), "{error}");
}

#[tokio::test]
async fn refused_requests_say_why_and_overload_is_waited_out() {
    for status in [400, 401, 404, 413, 529] {
        let body = json!({"type": "error", "error": {"type": "e", "message": "not with sk-secret"}}).to_string();
        let server = Server::start(vec![reply(status, &[], &body)]).await;
        let model = reached(&server).build().expect("a model");
        let error = model::request(&model, &question()).await.expect_err("refused");
        assert_eq!(
            (error.kind(), error.status(), error.is_retryable()),
            (ErrorKind::Provider, Some(status), status == 529)
        );
        assert!(error.to_string().contains("not with [key]"), "{error}");
    }
    let overloaded = r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#;
    let whole = message(json!([{"type": "text", "text": "done"}]), json!("end_turn"));
    let server = Server::start(vec![reply(529, &["retry-after: 0"], overloaded), reply(200, &[], &whole)]).await;
    let model = reached(&server).settings(ModelSettings::new().max_retries(1).max_tokens(9)).build().expect("a model");
    assert_eq!(short(&model::request(&model, &question()).await.expect("an answer")), ["text: done"]);
}

#[tokio::test]
async fn thoughts_that_are_bound_elsewhere_are_left_out() {
    let refusal = r#"{"type": "error", "error": {"type": "invalid_request_error", "message":
        "messages.1.content.0: The block is bound to a different conversation prefix."}}"#;
    let whole =
        r#"{"content": [], "stop_reason": "end_turn", "input_transformations": [{"type": "thinking_dropped"}]}"#;
    let script = [(400, refusal), (200, whole), (200, whole)].map(|(status, body)| reply(status, &[], body));
    let server = Server::start(script.into()).await;
    let build = |name: &str, url: &str| {
        let builder = AnthropicModel::builder(name).api_key("k").base_url(url).beta("a-1");
        builder.settings(ModelSettings::new().max_tokens(9)).build().expect("a model")
    };
    let model = build("claude-opus-5-5", &server.url);
    let mut cache = RequestCache::default();
    let response = model.request(&question(), &mut cache).await.expect("an answer");
    let details = response.provider_details.map(|details| details.to_value()).unwrap_or_default();
    assert_eq!(details["input_transformations"][0]["type"], "thinking_dropped");
    assert!(cache.take_notes().join("").contains("thoughts"));
    model.request(&question(), &mut cache).await.expect("an answer");
    let bodies: Vec<Value> = server.bodies().iter().map(|body| serde_json::from_str(body).expect("JSON")).collect();
    let anew = json!({"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}});
    assert_eq!((bodies[0].get("thinking"), &bodies[1]["thinking"], &bodies[2]["thinking"]), (None, &anew, &anew));
    let requests = server.requests();
    assert!(requests[0].contains("anthropic-beta: a-1\r\n"), "{}", requests[0]);
    let betas = format!("anthropic-beta: a-1,{BINDING_BETA}\r\n");
    assert!(requests[1].contains(&betas) && requests[2].contains(&betas));
    // Once is enough, and other models do not know it.
    for name in ["claude-opus-5-5", "claude-sonnet-5"] {
        let script = [(400, refusal), (400, refusal)].map(|(status, body)| reply(status, &[], body));
        let server = Server::start(script.into()).await;
        let (input, mut cache, mut events) = (question(), RequestCache::default(), PartEvents::unheard());
        let answer = build(name, &server.url).request_stream(&input, &mut cache, &mut events).await;
        assert_eq!(answer.expect_err("refused").status(), Some(400));
        assert_eq!(server.requests().len(), if name == "claude-opus-5-5" { 2 } else { 1 });
    }
}
