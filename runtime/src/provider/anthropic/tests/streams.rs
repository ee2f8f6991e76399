//! Replies that come in events.

use super::replies::{message, reached, short};
use super::*;
use crate::error::ErrorKind;
use crate::http::Decoder;
use crate::http::server::{Say, Server, reply};
use crate::message::FinishReason;
use crate::model::PartEvent;
use crate::provider::stream::StreamedReply;

/// The answer that these bytes are, or what is wrong with them.
pub(super) fn answer(bytes: &[u8]) -> Result<ModelResponse, String> {
    answer_told(bytes, &mut PartEvents::unheard())
}

fn answer_told(mut bytes: &[u8], events: &mut PartEvents<'_>) -> Result<ModelResponse, String> {
    let names = WireNames::of([].iter()).expect("no names");
    let mut reply = StreamedMessage::new(&names, events);
    let mut decoder = Decoder::default();
    while !reply.has_ended() && decoder.read(&mut bytes).map_err(|_| "too large")? {
        reply.read(decoder.data()).map_err(|fault| format!("{fault:?}"))?;
    }
    if !reply.is_whole(decoder.remainder()) {
        return Err("cut".to_owned());
    }
    reply.response("http://localhost").map_err(|fault| format!("{fault:?}"))
}

pub(super) fn events(events: &[Value]) -> String {
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default()))
        .collect()
}

fn begin() -> Value {
    let usage = json!({"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 3});
    json!({"type": "message_start", "message": {"id": "m1", "model": "claude-x", "content": [], "usage": usage}})
}

pub(super) fn start(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn text(index: u64, words: &str) -> Value {
    delta(index, json!({"type": "text_delta", "text": words}))
}

pub(super) fn arguments(index: u64, text: &str) -> Value {
    delta(index, json!({"type": "input_json_delta", "partial_json": text}))
}

pub(super) fn stop(index: u64) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

fn end(reason: &str) -> [Value; 2] {
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    [json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}}), json!({"type": "message_stop"})]
}

pub(super) fn of_blocks(blocks: &[Value]) -> Result<ModelResponse, String> {
    let all: Vec<_> = [begin()].into_iter().chain(blocks.iter().cloned()).chain(end("tool_use")).collect();
    answer(events(&all).as_bytes())
}

fn empty_text() -> Value {
    json!({"type": "text", "text": ""})
}

fn tool(id: &str, name: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": {}})
}

#[test]
fn every_known_block_is_read_and_others_are_passed_over() {
    let response = of_blocks(&[
        json!({"type": "ping"}),
        start(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "h"})),
        delta(0, json!({"type": "thinking_delta", "thinking": "m"})),
        delta(0, json!({"type": "signature_delta", "signature": "s"})),
        stop(0),
        start(1, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(1, json!({"type": "signature_delta", "signature": "s2"})),
        stop(1),
        start(2, json!({"type": "redacted_thinking", "data": "d"})),
        stop(2),
        start(3, json!({"type": "newer_tool_use", "id": "x", "name": "web_search", "input": {}})),
        arguments(3, "{\"query\":"),
        stop(3),
        json!({"type": "from_the_future"}),
        start(4, empty_text()),
        text(4, "a"),
        delta(4, json!({"type": "citations_delta", "citation": {}})),
        stop(4),
        start(5, json!({"type": "text", "text": "b"})),
        text(5, "c"),
        stop(5),
        start(6, tool("1", "t")),
        arguments(6, ""),
        arguments(6, "{\"x\":"),
        arguments(6, " 1}"),
        stop(6),
        start(7, tool("2", "u")),
        stop(7),
    ])
    .expect("an answer");
    let expected = [
        "thinking: hm (s)",
        "thinking:  (s2)",
        "thinking: redacted_thinking  (d)",
        "text: a",
        "text: bc",
        r#"call t({"x": 1})"#,
        "call u({})",
    ];
    assert_eq!(short(&response), expected);
    assert_eq!(response.finish_reason, Some(FinishReason::ToolCall));
    let usage = &response.usage;
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cache_read_tokens), (13, 5, 3));
    assert_eq!(response.provider_response_id.as_deref(), Some("m1"));
}

#[test]
fn arguments_may_come_with_the_call() {
    let whole = json!({"type": "tool_use", "id": "1", "name": "t", "input": {"x": 1}});
    assert_eq!(short(&of_blocks(&[start(0, whole.clone()), stop(0)]).expect("a call")), [r#"call t({"x":1})"#]);
    let both = of_blocks(&[start(0, whole), arguments(0, "{}"), stop(0)]);
    assert!(both.expect_err("they do not mix").contains("Mixed"));
}

#[test]
fn a_reply_is_whole_when_it_says_so() {
    let blocks = [begin(), start(0, empty_text()), text(0, "x"), stop(0)];
    let whole: Vec<_> = blocks.iter().cloned().chain(end("end_turn")).collect();
    let all = events(&whole);
    for whole in [all.clone(), all.trim_end().to_owned(), all.clone() + "data: nonsense\n\n", all.replace('\n', "\r\n")]
    {
        assert_eq!(short(&answer(whole.as_bytes()).expect("it is whole")), ["text: x"]);
    }
    for cut in [String::new(), events(&blocks), events(&whole[..5]), events(&whole[..1])] {
        assert_eq!(answer(cut.as_bytes()).expect_err(&cut), "cut");
    }
    let headless = events(&end("end_turn")[1..]);
    assert!(answer(headless.as_bytes()).expect_err("nothing").contains("message_start"));
}

#[test]
fn events_that_make_no_sense_are_errors() {
    for odd in [
        text(0, "homeless"),
        start(0, json!(5)),
        start(0, json!({"type": "tool_use", "id": 5})),
        json!({"type": "content_block_start", "index": 0}),
        json!({"type": "content_block_delta", "index": "x", "delta": {}}),
        json!({"type": 5}),
        json!("text"),
    ] {
        assert!(of_blocks(std::slice::from_ref(&odd)).is_err(), "{odd}");
    }
    let other_block = [start(0, tool("1", "t")), arguments(1, "{}")];
    assert!(of_blocks(&other_block).expect_err("another block").contains("has not begun"));
    let closed = [start(0, tool("1", "t")), stop(0), arguments(0, "{}")];
    assert!(of_blocks(&closed).is_err());
    let nonsense = events(&[begin()]) + "data: nonsense\n\n";
    assert!(answer(nonsense.as_bytes()).expect_err("nonsense").starts_with("Form"));
}

#[test]
fn errors_within_a_stream_are_told_with_their_status() {
    for (kind, expected) in [
        ("overloaded_error", r#"Refused("Overloaded", 529)"#),
        ("rate_limit_error", r#"Refused("Overloaded", 429)"#),
        ("something_new", r#"Told("Overloaded")"#),
    ] {
        let error = json!({"type": "error", "error": {"type": kind, "message": "Overloaded"}});
        assert_eq!(of_blocks(&[start(0, empty_text()), error]).expect_err("an error"), expected);
    }
    let silent = of_blocks(&[json!({"type": "error", "error": {"type": "api_error"}})]);
    assert_eq!(silent.expect_err("an error"), r#"Refused("api_error", 500)"#);
}

#[test]
fn events_tell_of_the_parts_of_the_response() {
    let blocks = [
        begin(),
        start(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(0, json!({"type": "signature_delta", "signature": "s"})),
        stop(0),
        start(1, empty_text()),
        text(1, "Let"),
        text(1, " me"),
        stop(1),
        start(2, tool("1", "t")),
        arguments(2, "{}"),
        stop(2),
    ];
    let mut told = Vec::new();
    let mut listen = |event| told.push(event);
    let all: Vec<_> = blocks.into_iter().chain(end("tool_use")).collect();
    let response = answer_told(events(&all).as_bytes(), &mut PartEvents::new(&mut listen)).expect("an answer");
    let kinds = told.iter().map(|event| match event {
        PartEvent::Start { index, .. } => format!("start {index}"),
        PartEvent::Delta { index, .. } => format!("delta {index}"),
        PartEvent::End { index, part } => {
            assert_eq!(*part, response.parts[*index]);
            format!("end {index}")
        }
    });
    let expected = ["start 0", "end 0", "start 1", "delta 1", "end 1", "start 2", "delta 2", "end 2"];
    assert_eq!(kinds.collect::<Vec<_>>(), expected);
}

/// Asks for a streamed reply, and gives how often it was told of a part.
async fn streamed(server: &Server) -> (Result<ModelResponse>, usize) {
    let mut count = 0;
    let mut listen = |_| count += 1;
    let mut events = PartEvents::new(&mut listen);
    let model = reached(server).build().expect("a model");
    let response = model.request_stream(&question(), &mut RequestCache::default(), &mut events).await;
    (response, count)
}

fn over_http(events: &str) -> Say {
    reply(200, &["content-type: text/event-stream", "request-id: r1"], events)
}

fn done() -> String {
    let blocks = [begin(), start(0, empty_text()), text(0, "done"), stop(0)];
    events(&blocks.into_iter().chain(end("end_turn")).collect::<Vec<_>>())
}

#[tokio::test]
async fn a_question_is_asked_and_answered() {
    let server = Server::start(vec![over_http(&done())]).await;
    let (response, told) = streamed(&server).await;
    assert_eq!((short(&response.expect("an answer")), told), (vec!["text: done".to_owned()], 2));
    let body: Value = serde_json::from_str(&server.bodies()[0]).expect("JSON");
    assert_eq!((&body["stream"], &body["max_tokens"]), (&json!(true), &json!(9)));
}

#[tokio::test]
async fn long_answers_are_streamed_though_nobody_watches() {
    let server = Server::start(vec![over_http(&done())]).await;
    let model = reached(&server).settings(ModelSettings::new()).build().expect("a model");
    let response = crate::model::request(&model, &question()).await.expect("an answer");
    assert_eq!(short(&response), ["text: done"]);
    assert!(server.bodies()[0].contains(r#""max_tokens":64000,"stream":true"#));
}

#[tokio::test]
async fn a_server_that_cannot_stream_answers_at_once() {
    let body = message(json!([{"type": "text", "text": "done"}]), json!("end_turn"));
    let server = Server::start(vec![reply(200, &["content-type: application/json"], &body)]).await;
    let (response, told) = streamed(&server).await;
    assert_eq!((short(&response.expect("an answer")), told), (vec!["text: done".to_owned()], 2));
}

#[tokio::test]
async fn replies_that_break_off_are_errors_to_try_again_after() {
    let beginning = events(&[begin(), start(0, empty_text()), text(0, "do")]);
    let told = |kind: &str| {
        let error = json!({"type": "error", "error": {"type": kind, "message": "not with sk-secret"}});
        over_http(&(beginning.clone() + &events(&[error])))
    };
    for (broken, status) in [
        (over_http(&beginning), None),
        (over_http(""), None),
        (over_http("<html>"), None),
        (told("something_new"), None),
        (told("overloaded_error"), Some(529)),
        (Say::Bytes(crate::http::server::raw(200, &["request-id: r1"], 9999, &beginning)), None),
    ] {
        let server = Server::start(vec![broken]).await;
        let error = streamed(&server).await.0.expect_err("it is not whole");
        assert_eq!((error.kind(), error.status(), error.request_id()), (ErrorKind::Provider, status, Some("r1")));
        assert!(error.is_retryable() && !error.to_string().contains("sk-secret"), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}
