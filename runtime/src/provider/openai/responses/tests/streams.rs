//! What streamed replies become.

use super::replies::{function_call, message, reached, short, whole};
use super::*;
use crate::error::ErrorKind;
use crate::http::Decoder;
use crate::http::server::{Say, Server, reply};
use crate::message::{FinishReason, ResponsePart};
use crate::model::PartEvent;
use crate::provider::stream::StreamedReply;

/// What a stream of events comes to when it ends with this text; the fault is in short.
pub(super) fn answer(events: &[u8]) -> Result<ModelResponse, String> {
    answer_told(events, &mut PartEvents::unheard())
}

fn answer_told(mut events: &[u8], told: &mut PartEvents<'_>) -> Result<ModelResponse, String> {
    let tools = tools("t");
    let names = WireNames::of(tools.iter()).expect("names");
    let mut reply = StreamedAnswer::new("openai", &names, told);
    let mut decoder = Decoder::default();
    while !reply.has_ended() && decoder.read(&mut events).expect("small events") {
        reply.read(decoder.data()).map_err(|fault| format!("{fault:?}"))?;
    }
    if !reply.is_whole(decoder.remainder()) {
        return Err("cut".to_owned());
    }
    reply.response(SERVER).map_err(|fault| format!("{fault:?}"))
}

fn stream_of(events: &[Value]) -> String {
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"])).collect()
}

/// An event of an item at this place.
fn event(kind: &str, place: u64, more: Value) -> Value {
    let mut event = json!({"type": format!("response.{kind}"), "output_index": place, "sequence_number": 7});
    event.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
    event
}

fn completed() -> Value {
    json!({"type": "response.completed", "response": whole(json!([message("not", "read again")]))})
}

/// What these events come to, in a stream that is whole.
fn of_events(events: &[Value]) -> ModelResponse {
    answer((stream_of(events) + &stream_of(&[completed()])).as_bytes()).expect("an answer")
}

fn added(place: u64, item: Value) -> Value {
    event("output_item.added", place, json!({"item": item}))
}

fn done(place: u64, item: Value) -> Value {
    event("output_item.done", place, json!({"item": item}))
}

fn words(place: u64, text: &str) -> Value {
    event("output_text.delta", place, json!({"item_id": "msg_1", "content_index": 0, "delta": text}))
}

fn arguments(place: u64, text: &str) -> Value {
    event("function_call_arguments.delta", place, json!({"item_id": "fc_1", "delta": text}))
}

fn summary(kind: &str, index: u64, field: &str, text: &str) -> Value {
    event(&format!("reasoning_summary_text.{kind}"), 0, json!({"item_id": "rs_1", "summary_index": index, field: text}))
}

#[test]
fn items_come_piece_by_piece_and_stay_apart() {
    let response = of_events(&[
        json!({"type": "response.created", "response": {"id": "resp_1", "status": "in_progress", "output": []}}),
        added(0, json!({"type": "reasoning", "id": "rs_1", "summary": []})),
        summary("delta", 0, "delta", "First"),
        summary("delta", 0, "delta", ","),
        summary("delta", 1, "delta", "then"),
        done(
            0,
            json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "S", "summary": [{"text": "First,"}, {"text": "then."}]}),
        ),
        added(1, json!({"type": "message", "id": "msg_1", "phase": "commentary", "content": []})),
        event("content_part.added", 1, json!({"content_index": 0, "part": {"type": "output_text", "text": ""}})),
        words(1, "Let"),
        words(1, " me."),
        event("output_text.annotation.added", 1, json!({"annotation": {"delta": 1}})),
        added(2, function_call("fc_1", "call_1", "t", "")),
        added(3, function_call("fc_2", "call_2", "t", "")),
        arguments(2, "{\"x\""),
        arguments(3, "{"),
        arguments(2, ":1}"),
        event("function_call_arguments.done", 3, json!({"arguments": "{}"})),
        done(2, function_call("fc_1", "call_1", "t", "{\"x\":1}")),
    ]);
    let expected = [
        "thinking: First, [rs_1 S]",
        "thinking: then. [rs_1 -]",
        "text: Let me. [msg_1]",
        "call t({\"x\":1}) [fc_1]",
        "call t({}) [fc_2]",
    ];
    assert_eq!(short(&response), expected);
    let details = response.parts.iter().find_map(|part| match part {
        ResponsePart::Text(part) => part.provider_details.as_ref().map(crate::json::Json::to_value),
        _ => None,
    });
    assert_eq!(details, Some(json!({"phase": "commentary"})));
    let ids: Vec<_> = response.tool_calls().map(|call| &*call.tool_call_id).collect();
    assert_eq!((ids, response.usage.input_tokens), (vec!["call_1", "call_2"], 10));
    assert_eq!(response.finish_reason, Some(FinishReason::Stop));
}

#[test]
fn what_comes_in_events_is_what_comes_at_once() {
    let raw = json!([{"type": "reasoning_text", "text": "hm"}, {"type": "reasoning_text", "text": "ah"}]);
    let mut call = function_call("fc_1", "call_1", "t", "{\"x\":1}");
    call["namespace"] = json!("n");
    let output = json!([
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "S", "content": raw},
        {"type": "reasoning", "id": "rs_2", "summary": [{"text": "a"}, {"text": ""}, {"text": "b"}]},
        message("msg_1", "Let me."),
        {"type": "newer_call", "id": "ws_1"},
        call,
    ]);
    let items = output.as_array().expect("items");
    let only_ends: Vec<_> = (0..).zip(items).map(|(place, item)| done(place, item.clone())).collect();
    let at_once = json!({"type": "response.completed", "response": whole(output.clone())});
    let at_once = answer(stream_of(&[at_once]).as_bytes()).expect("an answer");
    assert_eq!(of_events(&only_ends).parts, at_once.parts);
    let pieces = |field: &str, texts: [&str; 2]| {
        let event = |(index, text): (u64, &str)| {
            event("reasoning_text.delta", 0, json!({"item_id": "rs_1", "content_index": index, field: text}))
        };
        (0..).zip(texts).map(event).collect::<Vec<_>>()
    };
    let mut events = vec![added(0, json!({"type": "reasoning", "id": "rs_1"}))];
    events.extend(pieces("delta", ["h", "a"]));
    events.extend(pieces("delta", ["m", "h"]));
    events.extend(only_ends);
    assert_eq!(of_events(&events).parts, at_once.parts);
    // Without the end of their item, too, thoughts in full are kept.
    events.truncate(5);
    let [ResponsePart::Thinking(thinking)] = &of_events(&events).parts[..] else { unreachable!("thoughts") };
    assert_eq!(thinking.provider_details.as_ref().map(|it| it.to_value()), Some(json!({"raw_content": ["hm", "ah"]})));
}

#[test]
fn servers_may_leave_out_and_repeat() {
    // No place in the output; an id that changes; no beginning; deltas of nothing.
    let mut nowhere = words(0, "a");
    nowhere.as_object_mut().expect("an object").remove("output_index");
    let mut other_id = words(4, "c");
    other_id["item_id"] = json!("another");
    let null = event("output_text.delta", 5, json!({"delta": null}));
    let response = of_events(&[nowhere.clone(), nowhere, words(4, "b"), other_id, null]);
    assert_eq!(short(&response), ["text: aa [msg_1]", "text: bc [msg_1]"]);
    // All of a text and of arguments in their ends alone, or something else than came.
    let text_done =
        |text: &str| event("output_text.done", 0, json!({"item_id": "msg_1", "content_index": 0, "text": text}));
    assert_eq!(short(&of_events(&[text_done("all")])), ["text: all [msg_1]"]);
    assert_eq!(short(&of_events(&[words(0, "al"), text_done("all")])), ["text: all [msg_1]"]);
    assert_eq!(short(&of_events(&[words(0, "x"), text_done("all")])), ["text: all [msg_1]"]);
    let begun = || added(0, function_call("fc_1", "call_1", "t", ""));
    let ended = || done(0, function_call("fc_1", "call_1", "t", "{\"x\":1}"));
    assert_eq!(short(&of_events(&[begun(), ended(), ended()])), ["call t({\"x\":1}) [fc_1]"]);
    assert_eq!(short(&of_events(&[ended()])), ["call t({\"x\":1}) [fc_1]"]);
    assert_eq!(short(&of_events(&[begun(), arguments(0, "{\"y\""), ended()])), ["call t({\"x\":1}) [fc_1]"]);
    assert_eq!(short(&of_events(&[arguments(0, "{"), ended()])), ["call t({\"x\":1}) [fc_1]"]);
    let whole_at_once = added(0, function_call("fc_1", "call_1", "t", "{}"));
    assert_eq!(short(&of_events(&[whole_at_once, arguments(0, "")])), ["call t({}) [fc_1]"]);
    // Kinds that nobody knows, and the end of another API's streams.
    let odd = [json!({"type": "response.odd", "delta": {"a": 1}, "item": 3}), json!({"type": "keepalive"}), json!({})];
    let events = stream_of(&odd) + "data: [DONE]\n\n: ping\n\n" + &stream_of(&[words(0, "x"), completed()]);
    assert_eq!(short(&answer(events.as_bytes()).expect("an answer")), ["text: x [msg_1]"]);
    // Nothing but the end.
    assert_eq!(short(&of_events(&[])), ["text: read again [not]"]);
}

#[test]
fn a_reply_is_whole_with_its_last_event() {
    let ending = |kind: &str, status: &str, reason: Value| {
        let mut response = whole(json!([]));
        response["status"] = json!(status);
        response["incomplete_details"] = json!({"reason": reason});
        json!({"type": format!("response.{kind}"), "response": response})
    };
    for (end, expected) in [
        (ending("completed", "completed", json!(null)), Some(FinishReason::Stop)),
        (ending("incomplete", "incomplete", json!("max_output_tokens")), Some(FinishReason::Length)),
        (ending("incomplete", "incomplete", json!("content_filter")), Some(FinishReason::ContentFilter)),
        (ending("failed", "failed", json!(null)), Some(FinishReason::Error)),
        (ending("cancelled", "cancelled", json!(null)), Some(FinishReason::Error)),
    ] {
        let events = stream_of(&[words(0, "x"), end, words(0, "more")]);
        let response = answer(events.as_bytes()).expect("it is whole");
        assert_eq!((short(&response), response.finish_reason), (vec!["text: x [msg_1]".to_owned()], expected));
    }
    for cut in [
        String::new(),
        stream_of(&[words(0, "x")]),
        stream_of(&[words(0, "x"), done(0, message("msg_1", "x"))]),
        stream_of(&[words(0, "x")]) + "data: [DONE]\n\n",
        stream_of(&[words(0, "x")]) + stream_of(&[completed()]).trim_end(),
        stream_of(&[ending("in_progress", "in_progress", json!(null)), ending("queued", "queued", json!(null))]),
    ] {
        assert_eq!(answer(cut.as_bytes()).expect_err(&cut), "cut");
    }
    assert!(answer(stream_of(&[json!({"type": "response.completed"})]).as_bytes()).is_err());
}

#[test]
fn refusals_are_kept() {
    let refused = of_events(&[
        event("refusal.delta", 0, json!({"delta": "N"})),
        event("refusal.delta", 0, json!({"delta": "o"})),
        event("refusal.done", 0, json!({"refusal": "No."})),
        words(1, "x"),
    ]);
    assert!(refused.parts.is_empty() && refused.finish_reason == Some(FinishReason::ContentFilter));
    assert_eq!(refused.provider_details.map(|details| details.to_value()), Some(json!({"refusal": "No."})));
    let item = json!({"type": "message", "id": "m", "content": [{"type": "refusal", "refusal": "No."}]});
    assert_eq!(of_events(&[done(0, item)]).finish_reason, Some(FinishReason::ContentFilter));
}

#[test]
fn errors_within_a_stream_are_told() {
    let failed = json!({"status": "failed", "output": [], "error": {"code": "server_error", "message": "overloaded"}});
    for error in [
        json!({"type": "error", "code": "x", "message": "overloaded", "param": null}),
        json!({"type": "error", "error": {"type": "y", "message": "overloaded"}}),
        json!({"error": {"message": "overloaded"}}),
        json!({"type": "response.failed", "response": failed}),
    ] {
        let events = stream_of(&[words(0, "x"), error, completed()]);
        assert_eq!(answer(events.as_bytes()).expect_err("an error"), r#"Told("overloaded")"#);
    }
    assert!(answer(stream_of(&[json!({"type": "error"})]).as_bytes()).expect_err("an error").starts_with("Told"));
    let text = stream_of(&[words(0, "x")]);
    for odd in [
        "nonsense",
        "[1]",
        "{",
        r#"{"type": 1}"#,
        r#"{"type": "response.output_text.delta", "delta": {}}"#,
        r#"{"type": "response.output_item.done", "item": 1}"#,
        r#"{"type": "response.completed", "response": []}"#,
    ] {
        let events = format!("{text}data: {odd}\n\n{}", stream_of(&[completed()]));
        assert!(answer(events.as_bytes()).expect_err(odd).starts_with("Form"), "{odd}");
    }
    let mixed = [
        added(0, json!({"type": "function_call", "name": "t", "arguments": {"x": 1}})),
        arguments(0, "{"),
        completed(),
    ];
    assert!(answer(stream_of(&mixed).as_bytes()).expect_err("they do not mix").starts_with("Mixed"));
}

#[test]
fn events_tell_of_the_parts_of_the_response() {
    let events = [
        added(0, json!({"type": "reasoning", "id": "rs_1"})),
        summary("delta", 0, "delta", "a"),
        words(1, "Let"),
        words(1, " me"),
        added(2, function_call("fc_1", "call_1", "t", "")),
        arguments(2, "{}"),
        done(0, json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "S", "summary": [{"text": "a"}]})),
        done(2, function_call("fc_1", "call_1", "t", "{}")),
        completed(),
    ];
    let mut told = Vec::new();
    let mut listen = |event| told.push(event);
    let response = answer_told(stream_of(&events).as_bytes(), &mut PartEvents::new(&mut listen)).expect("an answer");
    let mut last = std::collections::BTreeMap::new();
    let kinds = told.iter().map(|event| match event {
        PartEvent::Start { index, part } => {
            last.insert(*index, part.clone());
            format!("start {index}")
        }
        PartEvent::Delta { index, .. } => format!("delta {index}"),
        PartEvent::End { index, part } => {
            last.insert(*index, part.clone());
            format!("end {index}")
        }
    });
    let kinds: Vec<_> = kinds.collect();
    // The thoughts are told of once more, with what proves them.
    let expected = ["start 0", "end 0", "start 1", "delta 1", "end 1", "start 2", "delta 2", "end 0", "end 2"];
    assert_eq!(kinds, expected);
    assert!(last.into_values().eq(response.parts), "{told:?}");
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
    let server = Server::start(vec![over_http(&stream_of(&[words(0, "done"), completed()]))]).await;
    let (response, told) = streamed(&server).await;
    let response = response.expect("an answer");
    assert_eq!((short(&response), told), (vec!["text: done [msg_1]".to_owned()], 2));
    assert_eq!((response.provider_name.as_deref(), response.usage.input_tokens), (Some("openai"), 10));
    let body: Value = serde_json::from_str(&server.bodies()[0]).expect("JSON");
    let include = json!(["reasoning.encrypted_content"]);
    let input = json!([{"role": "user", "content": "Go."}]);
    let asked = json!({"model": "gpt-5.2", "stream": true, "include": include, "max_output_tokens": 1, "input": input});
    assert_eq!(body, asked);
}

#[tokio::test]
async fn a_server_that_cannot_stream_answers_at_once() {
    let body = whole(json!([message("m", "done")])).to_string();
    let server = Server::start(vec![reply(200, &["content-type: application/json"], &body)]).await;
    let (response, told) = streamed(&server).await;
    assert_eq!((short(&response.expect("an answer")), told), (vec!["text: done [m]".to_owned()], 2));
}

#[tokio::test]
async fn replies_that_break_off_are_errors_to_try_again_after() {
    let text = stream_of(&[words(0, "do")]);
    for broken in [
        over_http(&text),
        over_http(""),
        over_http("<html>"),
        over_http(&format!("{text}data: {{\"type\": \"error\", \"message\": \"not with sk-secret\"}}\n\n")),
        Say::Bytes(crate::http::server::raw(200, &["x-request-id: r1"], 1000, &text)),
    ] {
        let server = Server::start(vec![broken]).await;
        let error = streamed(&server).await.0.expect_err("it is not whole");
        assert_eq!((error.kind(), error.status(), error.request_id()), (ErrorKind::Provider, None, Some("r1")));
        assert!(error.is_retryable() && !error.to_string().contains("sk-secret"), "{error}");
    }
}

#[test]
fn what_the_provider_ran_comes_whole_with_the_end_of_its_item() {
    let item = |status: &str, action: Value| json!({"type": "web_search_call", "id": "ws_1", "status": status, "action": action});
    let searched = item("completed", json!({"type": "search", "query": "a"}));
    let response = of_events(&[added(0, item("in_progress", json!(null))), done(0, searched)]);
    let parts: Vec<_> = response.parts.iter().map(|part| serde_json::to_value(part).expect("JSON")).collect();
    assert_eq!(parts.len(), 2, "{parts:?}");
    assert_eq!(
        (&parts[0]["tool_name"], &parts[0]["args"]),
        (&json!("web_search"), &json!({"type": "search", "query": "a"}))
    );
    assert_eq!(parts[1]["content"], json!({"status": "completed"}));
}
