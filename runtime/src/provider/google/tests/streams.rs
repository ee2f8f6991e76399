//! What streamed replies become.

use super::replies::reached;
use super::*;
use crate::error::ErrorKind;
use crate::http::Decoder;
use crate::http::server::{Say, Server, raw, reply};
use crate::message::FinishReason;
use crate::model::PartEvent;
use crate::provider::stream::StreamedReply;

const URL: &str = "http://localhost/";

/// What a stream of events comes to when it ends with this text; the fault is in short.
pub(super) fn answer(events: &[u8]) -> Result<ModelResponse, String> {
    answer_told(events, &mut PartEvents::unheard())
}

fn answer_told(mut events: &[u8], told: &mut PartEvents<'_>) -> Result<ModelResponse, String> {
    let tools = tools("t");
    let names = WireNames::by(&NAMES, tools.iter()).expect("names");
    let mut reply = StreamedCandidate::new(&names, told);
    let mut decoder = Decoder::default();
    while decoder.read(&mut events).expect("small events") {
        reply.read(decoder.data()).map_err(|fault| format!("{fault:?}"))?;
    }
    if !reply.is_whole(decoder.remainder()) {
        return Err("cut".to_owned());
    }
    reply.response(URL).map_err(|fault| format!("{fault:?}"))
}

fn stream_of(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect()
}

fn chunk(parts: Value, finish_reason: Value) -> Value {
    json!({"candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": finish_reason, "index": 0}],
        "usageMetadata": {"promptTokenCount": 10}, "modelVersion": "m", "responseId": "r"})
}

fn end() -> Value {
    chunk(json!([{"text": ""}]), json!("STOP"))
}

/// What chunks of these parts come to, in a stream that is whole.
fn of_parts(chunks: &[Value]) -> ModelResponse {
    let chunks: Vec<_> = chunks.iter().map(|parts| chunk(parts.clone(), json!(null))).chain([end()]).collect();
    answer(stream_of(&chunks).as_bytes()).expect("an answer")
}

#[test]
fn texts_thoughts_and_calls_stand_in_the_order_they_began() {
    let response = of_parts(&[
        json!([{"text": "h", "thought": true}]),
        json!([{"text": "m", "thought": true}, {"text": "Let"}]),
        json!([{"text": " me"}, {"functionCall": {"name": "t", "args": {"x": 1}, "id": "a"}}]),
        json!([{"functionCall": {"name": "t"}}, {"new": 1}]),
        json!([{"text": "!"}]),
    ]);
    assert_eq!(short(&response), ["thinking: hm", "text: Let me", "call t({\"x\":1})", "call t({})", "text: !"]);
    assert_eq!((response.provider_response_id.as_deref(), response.model_name.as_deref()), (Some("r"), Some("m")));
    let ids: Vec<_> = response.tool_calls().map(|call| call.tool_call_id.as_str()).collect();
    assert!(ids[0] == "a" && !ids[1].is_empty(), "{ids:?}");
}

#[test]
fn a_proof_belongs_to_the_words_before_it() {
    let proofs = |response: &ModelResponse| -> Vec<Option<String>> {
        let parts = serde_json::to_value(&response.parts).expect("JSON");
        let proof = |part: &Value| part["provider_details"]["thought_signature"].as_str().map(str::to_owned);
        parts.as_array().into_iter().flatten().map(proof).collect()
    };
    let one =
        of_parts(&[json!([{"text": "a"}]), json!([{"text": "b"}]), json!([{"text": "", "thoughtSignature": "s1"}])]);
    assert_eq!((short(&one), proofs(&one)), (vec!["text: ab".to_owned()], vec![Some("s1".to_owned())]));
    let two = of_parts(&[
        json!([{"text": "a", "thoughtSignature": "s1"}, {"text": "b"}, {"text": "c", "thoughtSignature": "s2"}]),
        json!([{"functionCall": {"name": "t"}, "thoughtSignature": "s3"}, {"text": "", "thoughtSignature": "s4"}]),
    ]);
    assert_eq!(short(&two), ["text: a", "text: bc", "call t({})", "text: "]);
    assert_eq!(proofs(&two), ["s1", "s2", "s3", "s4"].map(|proof| Some(proof.to_owned())));
}

#[test]
fn the_first_candidate_is_read() {
    let candidate = |index: Value, text: &str| json!({"index": index, "content": {"parts": [{"text": text}]}, "finishReason": "STOP"});
    let two = json!({"candidates": [candidate(json!(1), "no"), candidate(json!(0), "yes")]});
    let other = json!({"candidates": [candidate(json!(1), "no")]});
    let unnumbered = json!({"candidates": [candidate(json!(null), "!")]});
    assert_eq!(short(&answer(stream_of(&[two, other, unnumbered]).as_bytes()).expect("an answer")), ["text: yes!"]);
}

#[test]
fn newer_counts_stand_over_older_ones() {
    let mut first = chunk(json!([{"text": "x"}]), json!(null));
    first["usageMetadata"] = json!({"promptTokenCount": 169, "cachedContentTokenCount": 3});
    let mut last = end();
    last["usageMetadata"] = json!({"promptTokenCount": 79, "candidatesTokenCount": 12});
    let trailing = json!({"usageMetadata": {"thoughtsTokenCount": 1}});
    let usage = answer(stream_of(&[first, last, trailing]).as_bytes()).expect("an answer").usage;
    assert_eq!((usage.input_tokens, usage.cache_read_tokens, usage.output_tokens), (79, 3, 13));
}

#[test]
fn a_reply_is_whole_once_it_was_said_why_it_stopped() {
    let text = || chunk(json!([{"text": "x"}]), json!(null));
    let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"}});
    for whole in [
        stream_of(&[text(), end()]),
        stream_of(&[chunk(json!([{"text": "x"}]), json!("STOP"))]),
        stream_of(&[text(), end(), json!({"usageMetadata": {}})]) + "data:\n\n: ping\n\n",
    ] {
        let response = answer(whole.as_bytes()).expect("it is whole");
        assert_eq!((short(&response), response.finish_reason), (vec!["text: x".to_owned()], Some(FinishReason::Stop)));
    }
    let response = answer(stream_of(&[blocked]).as_bytes()).expect("it is whole");
    assert!(response.parts.is_empty() && response.finish_reason == Some(FinishReason::ContentFilter));
    for cut in [
        String::new(),
        stream_of(&[text()]),
        stream_of(&[text(), json!({"usageMetadata": {"promptTokenCount": 1}})]),
        stream_of(&[text(), end()]) + "data: {\"candidates\"",
        stream_of(&[text()]) + stream_of(&[end()]).trim_end(),
    ] {
        assert_eq!(answer(cut.as_bytes()).expect_err(&cut), "cut");
    }
}

#[test]
fn errors_within_a_stream_are_told() {
    let text = stream_of(&[chunk(json!([{"text": "x"}]), json!(null))]);
    for error in [
        r#"{"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}"#,
        r#"{"error": "overloaded", "candidates": []}"#,
        r#"{"message": "overloaded"}"#,
    ] {
        let events = format!("{text}data: {error}\n\n{}", stream_of(&[end()]));
        assert_eq!(answer(events.as_bytes()).expect_err(error), r#"Told("overloaded")"#);
    }
    for odd in ["nonsense", "[1]", "{", r#"{"candidates": "x"}"#, "[DONE]"] {
        let events = format!("{text}data: {odd}\n\n{}", stream_of(&[end()]));
        assert!(answer(events.as_bytes()).expect_err(odd).starts_with("Form"), "{odd}");
    }
}

#[test]
fn events_tell_of_the_parts_of_the_response() {
    let chunks = [
        chunk(json!([{"text": "Let"}]), json!(null)),
        chunk(json!([{"text": " me"}, {"functionCall": {"name": "t"}}]), json!(null)),
        chunk(json!([{"text": "", "thoughtSignature": "s"}]), json!("STOP")),
    ];
    let mut told = Vec::new();
    let mut listen = |event| told.push(event);
    let response = answer_told(stream_of(&chunks).as_bytes(), &mut PartEvents::new(&mut listen)).expect("an answer");
    let kinds = told.iter().map(|event| match event {
        PartEvent::Start { index, .. } => format!("start {index}"),
        PartEvent::Delta { index, .. } => format!("delta {index}"),
        PartEvent::End { index, part } => {
            assert_eq!(*part, response.parts[*index]);
            format!("end {index}")
        }
    });
    let expected = ["start 0", "delta 0", "end 0", "start 1", "end 1", "start 2", "end 2"];
    assert_eq!(kinds.collect::<Vec<_>>(), expected);
}

/// Asks for a streamed reply, and gives how often it was told of a part.
async fn streamed(server: &Server) -> (Result<ModelResponse>, usize) {
    let mut count = 0;
    let mut listen = |_| count += 1;
    let mut events = PartEvents::new(&mut listen);
    let response = reached(server).request_stream(&question(), &mut RequestCache::default(), &mut events).await;
    (response, count)
}

fn over_http(events: &str) -> Say {
    reply(200, &["content-type: text/event-stream", "x-request-id: r1"], events)
}

#[tokio::test]
async fn a_question_is_asked_and_answered() {
    let server = Server::start(vec![over_http(&stream_of(&[chunk(json!([{"text": "done"}]), json!("STOP"))]))]).await;
    let (response, told) = streamed(&server).await;
    let response = response.expect("an answer");
    assert_eq!((short(&response), told), (vec!["text: done".to_owned()], 2));
    assert_eq!((response.provider_name.as_deref(), response.usage.input_tokens), (Some("google"), 10));
    let line = "POST /v1beta/models/gemini-3-flash-preview:streamGenerateContent?alt=sse HTTP/1.1\r\n";
    assert!(server.requests()[0].starts_with(line), "{}", server.requests()[0]);
}

#[tokio::test]
async fn a_server_that_cannot_stream_answers_at_once() {
    let body = chunk(json!([{"text": "done"}]), json!("STOP")).to_string();
    let server = Server::start(vec![reply(200, &["content-type: application/json"], &body)]).await;
    let (response, told) = streamed(&server).await;
    assert_eq!((short(&response.expect("an answer")), told), (vec!["text: done".to_owned()], 2));
}

#[tokio::test]
async fn replies_that_break_off_are_errors_to_try_again_after() {
    let text = stream_of(&[chunk(json!([{"text": "do"}]), json!(null))]);
    for broken in [
        over_http(&text),
        over_http(""),
        over_http("<html>"),
        over_http(&format!("{text}data: {{\"error\": \"not with AIza-secret\"}}\n\n")),
        Say::Bytes(raw(200, &["x-request-id: r1"], 1000, &text)),
    ] {
        let server = Server::start(vec![broken]).await;
        let error = streamed(&server).await.0.expect_err("it is not whole");
        assert_eq!((error.kind(), error.status(), error.request_id()), (ErrorKind::Provider, None, Some("r1")));
        assert!(error.is_retryable() && !error.to_string().contains("AIza-secret"), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn unusable_events_and_refused_requests_say_why() {
    let server = Server::start(vec![over_http("data: nonsense\n\n")]).await;
    let error = streamed(&server).await.0.expect_err("nonsense");
    assert_eq!((error.kind(), error.is_retryable(), error.request_id()), (ErrorKind::Provider, false, Some("r1")));
    let server = Server::start(vec![reply(404, &[], r#"{"error": {"message": "no such model"}}"#)]).await;
    let error = streamed(&server).await.0.expect_err("refused");
    assert_eq!(error.status(), Some(404));
    assert!(error.to_string().contains("no such model"), "{error}");
}

#[test]
fn code_that_ran_and_what_came_of_it_share_an_id() {
    let code = json!([{"executableCode": {"language": "PYTHON", "code": "1"}}]);
    let result = json!([{"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}]);
    let response = of_parts(&[code, result]);
    let parts: Vec<_> = response.parts.iter().map(|part| serde_json::to_value(part).expect("JSON")).collect();
    assert_eq!(parts.len(), 2, "{parts:?}");
    assert_eq!(parts[0]["tool_call_id"], parts[1]["tool_call_id"]);
    assert_eq!((&parts[0]["tool_name"], &parts[1]["content"]["output"]), (&json!("code_execution"), &json!("1")));
}
