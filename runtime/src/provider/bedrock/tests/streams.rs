//! Replies that come in frames.

use super::*;
use crate::error::ErrorKind;
use crate::http::frame_tests::{event, frame};
use crate::message::FinishReason;
use crate::model::PartEvent;

fn events(events: &[(&str, Value)]) -> Vec<u8> {
    events.iter().flat_map(|(name, payload)| event(name, &payload.to_string())).collect()
}

/// A reply of these events of blocks, from its beginning to its end.
fn reply(blocks: &[(&'static str, Value)]) -> Vec<u8> {
    let usage = json!({"inputTokens": 10, "outputTokens": 5, "cacheReadInputTokens": 3});
    let begin = ("messageStart", json!({"role": "assistant", "p": "abcd"}));
    let end =
        [("messageStop", json!({"stopReason": "tool_use"})), ("metadata", json!({"usage": usage, "metrics": {}}))];
    events(&[begin].into_iter().chain(blocks.iter().cloned()).chain(end).collect::<Vec<_>>())
}

fn text(index: u64, words: &str) -> (&'static str, Value) {
    ("contentBlockDelta", json!({"contentBlockIndex": index, "delta": {"text": words}}))
}

fn delta(index: u64, delta: Value) -> (&'static str, Value) {
    ("contentBlockDelta", json!({"contentBlockIndex": index, "delta": delta}))
}

fn stop(index: u64) -> (&'static str, Value) {
    ("contentBlockStop", json!({"contentBlockIndex": index}))
}

fn tool(index: u64, id: &str, name: &str) -> (&'static str, Value) {
    let start = json!({"toolUse": {"toolUseId": id, "name": name}});
    ("contentBlockStart", json!({"contentBlockIndex": index, "start": start}))
}

fn input(index: u64, text: &str) -> (&'static str, Value) {
    delta(index, json!({"toolUse": {"input": text}}))
}

async fn answered_with(bytes: Vec<u8>, told: &mut Vec<String>) -> Result<ModelResponse> {
    let builder = BedrockModel::builder(NOVA).api_key("sk-secret").base_url("http://localhost:1");
    let builder = builder.settings(ModelSettings::new().max_retries(0)).transport(Canned::with([(200, bytes)]));
    let mut listen = |event| {
        told.push(match event {
            PartEvent::Start { index, .. } => format!("start {index}"),
            PartEvent::Delta { index, .. } => format!("delta {index}"),
            PartEvent::End { index, .. } => format!("end {index}"),
        });
    };
    let model = builder.build()?;
    model.request_stream(&question(), &mut RequestCache::default(), &mut PartEvents::new(&mut listen)).await
}

async fn answered(bytes: Vec<u8>) -> Result<ModelResponse> {
    answered_with(bytes, &mut Vec::new()).await
}

async fn parts(blocks: &[(&'static str, Value)]) -> Vec<String> {
    short(&answered(reply(blocks)).await.expect("an answer"))
}

#[tokio::test]
async fn a_reply_comes_block_by_block() {
    let blocks = [
        delta(0, json!({"reasoningContent": {"text": "h"}})),
        delta(0, json!({"reasoningContent": {"text": "m"}})),
        delta(0, json!({"reasoningContent": {"signature": "s"}})),
        stop(0),
        text(1, "a"),
        text(1, "b"),
        stop(1),
        tool(2, "c1", "t"),
        input(2, "{\"x\""),
        input(2, ":1}"),
        stop(2),
    ];
    let mut told = Vec::new();
    let response = answered_with(reply(&blocks), &mut told).await.expect("an answer");
    assert_eq!(short(&response), ["thinking: hm (s)", "text: ab", r#"call t({"x":1})"#]);
    assert_eq!(response.tool_calls().next().map(|call| call.tool_call_id.as_str()), Some("c1"));
    assert_eq!(response.finish_reason, Some(FinishReason::ToolCall));
    let usage = &response.usage;
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cache_read_tokens), (13, 5, 3));
    let expected = "start 0,delta 0,end 0,start 1,delta 1,end 1,start 2,delta 2,delta 2,end 2";
    assert_eq!(told.join(","), expected);
}

#[tokio::test]
async fn several_calls_may_come_at_once_and_have_no_arguments() {
    let blocks = [
        tool(0, "a", "t"),
        tool(1, "b", "u"),
        input(0, "{\"x\":"),
        input(1, "{}"),
        input(0, "1}"),
        tool(2, "c", "v"),
        stop(2),
    ];
    assert_eq!(parts(&blocks).await, [r#"call t({"x":1})"#, "call u({})", "call v({})"]);
}

#[tokio::test]
async fn blocks_are_told_apart_by_their_numbers() {
    assert_eq!(parts(&[text(0, "a"), text(1, "b"), text(1, "c")]).await, ["text: a", "text: bc"]);
    let redacted = |index, bytes: &str| delta(index, json!({"reasoningContent": {"redactedContent": bytes}}));
    let expected = ["thinking: redacted_content  (text)", "thinking: redacted_bytes  (/w==)"];
    assert_eq!(parts(&[redacted(0, "dGV4dA=="), stop(0), redacted(1, "/w==")]).await, expected);
}

#[tokio::test]
async fn what_is_not_known_is_passed_over() {
    let start = json!({"toolUse": {"toolUseId": "s", "name": "nova_code_interpreter", "type": "server_tool_use"}});
    let blocks = [
        ("fromTheFuture", json!({"a": 1})),
        ("contentBlockStart", json!({"contentBlockIndex": 0, "start": start})),
        input(0, "{}"),
        ("contentBlockStart", json!({"contentBlockIndex": 1, "start": {"image": {}}})),
        delta(1, json!({"image": {}})),
        delta(2, json!({"citation": {"title": "t"}})),
        text(2, "a"),
    ];
    assert_eq!(parts(&blocks).await, ["text: a"]);
}

#[tokio::test]
async fn a_reply_may_come_at_once_after_all() {
    let whole = json!({"output": {"message": {"content": [{"text": "done"}]}}, "stopReason": "end_turn"});
    let response = answered(whole.to_string().into_bytes()).await.expect("an answer");
    assert_eq!(short(&response), ["text: done"]);
}

#[tokio::test]
async fn a_stream_that_is_cut_is_an_error_or_the_whole_answer() {
    let whole = reply(&[text(0, "Hé"), stop(0), tool(1, "c", "t"), input(1, "{}"), stop(1)]);
    let counted = event(
        "metadata",
        &json!({"usage": {"inputTokens": 10, "outputTokens": 5, "cacheReadInputTokens": 3}, "metrics": {}}).to_string(),
    );
    let needed = whole.len() - counted.len();
    for end in 0..whole.len() {
        match answered(whole[..end].to_vec()).await {
            Ok(response) => {
                assert!(end >= needed, "cut at {end} of {needed}");
                assert_eq!(short(&response), ["text: Hé", "call t({})"]);
            }
            Err(error) => {
                assert!(end < needed, "{error} at {end} of {needed}");
                assert!(error.is_retryable() && error.kind() == ErrorKind::Provider, "{error}");
            }
        }
    }
}

#[tokio::test]
async fn exceptions_are_errors_with_the_status_they_would_have_had() {
    for (name, payload, status) in [
        ("throttlingException", json!({"message": "Slow down."}), Some(429)),
        ("validationException", json!({"message": "Slow down."}), Some(400)),
        ("modelStreamErrorException", json!({"message": "Slow down.", "originalStatusCode": 503}), Some(503)),
        ("modelStreamErrorException", json!({"message": "Slow down.", "originalStatusCode": 7}), Some(424)),
        ("fromTheFutureException", json!({"message": "Slow down."}), None),
        ("internalServerException", json!("Slow down."), Some(500)),
    ] {
        let headers = [(":message-type", "exception"), (":exception-type", name)];
        let told = [events(&[text(0, "a")]), frame(&headers, payload.to_string().as_bytes())].concat();
        let error = answered(told).await.expect_err("an exception");
        assert_eq!(error.status(), status, "{name}");
        assert!(error.to_string().contains(name), "{error}");
        assert!(payload.is_string() || error.to_string().contains("Slow down."), "{error}");
    }
    let headers = [(":message-type", "error"), (":error-code", "E1"), (":error-message", "sk-secret is odd")];
    let error = answered(frame(&headers, b"")).await.expect_err("an error");
    assert!(error.to_string().contains("E1: [key] is odd"), "{error}");
}

#[tokio::test]
async fn what_is_no_such_stream_is_an_error() {
    let mut spoiled = reply(&[text(0, "a")]);
    let last = spoiled.len() - 5;
    spoiled[last] ^= 1;
    let huge = [&[0x7F, 0, 0, 0][..], &[0; 8]].concat();
    for (bytes, words) in [
        (spoiled, "broken frame"),
        (huge, "MiB"),
        (b"event: message\ndata: {}\n\n".to_vec(), "MiB"),
        (events(&[("contentBlockDelta", json!(7))]), "not what its API promises"),
        (event("contentBlockDelta", "no JSON"), "not what its API promises"),
        (reply(&[input(0, "{}")]), "has not begun"),
        (Vec::new(), "broke off"),
    ] {
        let error = answered(bytes).await.expect_err("unusable");
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.kind(), ErrorKind::Provider);
    }
}
