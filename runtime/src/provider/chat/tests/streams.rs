//! What streamed replies become.

use super::replies::{reached, short};
use super::*;
use crate::error::ErrorKind;
use crate::http::Decoder;
use crate::http::server::{Say, Server, reply};
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
    let names = WireNames::of(tools.iter()).expect("names");
    let form = form_of(&ChatProfile::of("gpt-5.2"));
    let mut reply = StreamedCompletion::new(&form, &names, told);
    let mut decoder = Decoder::default();
    while !reply.has_ended() && decoder.read(&mut events).expect("small events") {
        reply.read(decoder.data()).map_err(|fault| format!("{fault:?}"))?;
    }
    if !reply.is_whole(decoder.remainder()) {
        return Err("cut".to_owned());
    }
    reply.response(URL).map_err(|fault| format!("{fault:?}"))
}

fn stream_of(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

fn chunk(delta: Value, finish_reason: Value) -> Value {
    json!({"id": "c1", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]})
}

fn usage() -> Value {
    json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
}

/// What these deltas come to, in a stream that is whole.
fn of_deltas(deltas: &[Value]) -> ModelResponse {
    let chunks: Vec<_> = deltas.iter().map(|delta| chunk(delta.clone(), json!(null))).collect();
    let events = stream_of(&chunks) + &stream_of(&[chunk(json!({}), json!("stop"))]) + "data: [DONE]\n\n";
    answer(events.as_bytes()).expect("an answer")
}

/// The parts of a response to chunks with these pieces of calls.
fn of_calls(pieces: &[Value]) -> Vec<String> {
    let deltas: Vec<_> = pieces.iter().map(|calls| json!({ "tool_calls": calls })).collect();
    short(&of_deltas(&deltas))
}

fn piece(name: Value, arguments: Value) -> Value {
    json!({"function": {"name": name, "arguments": arguments}})
}

fn indexed(index: u64, id: Value, name: Value, arguments: Value) -> Value {
    json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}})
}

fn identified(id: &str, name: Value, arguments: Value) -> Value {
    json!({"id": id, "function": {"name": name, "arguments": arguments}})
}

#[test]
fn texts_thoughts_and_calls_stand_in_the_order_they_began() {
    let deltas = [
        json!({"role": "assistant", "content": ""}),
        json!({"reasoning_content": "h"}),
        json!({"reasoning_content": "m", "content": null}),
        json!({"content": "Let"}),
        json!({}),
        json!({"content": [{"type": "text", "text": " me"}]}),
        json!({"tool_calls": [indexed(0, json!("1"), json!("t"), json!("{\"x\""))]}),
        json!({"tool_calls": null, "reasoning": ""}),
        json!({"tool_calls": [indexed(0, json!(null), json!(null), json!(":1}"))]}),
    ];
    let response = of_deltas(&deltas);
    assert_eq!(short(&response), ["thinking: hm", "text: Let me", "call t({\"x\":1})"]);
    assert_eq!((response.provider_response_id.as_deref(), response.model_name.as_deref()), (Some("c1"), Some("m")));
}

#[test]
fn calls_are_told_apart_by_index_id_or_order() {
    let null = || json!(null);
    let interleaved = [
        json!([indexed(0, json!("a"), json!("s"), json!("{"))]),
        json!([indexed(1, json!("b"), json!("t"), json!("{"))]),
        json!([indexed(0, null(), null(), json!("}")), indexed(1, null(), null(), json!("\"x\":1}"))]),
    ];
    assert_eq!(of_calls(&interleaved), ["call s({})", "call t({\"x\":1})"]);
    let all_at_index_zero = [
        json!([indexed(0, json!("a"), json!("t"), json!("{\"x\":"))]),
        json!([indexed(0, json!("b"), json!("t"), json!("{\"x\":"))]),
        json!([indexed(0, null(), null(), json!("2}"))]),
        json!([indexed(0, json!("a"), null(), json!("1}"))]),
    ];
    assert_eq!(of_calls(&all_at_index_zero), ["call t({\"x\":1})", "call t({\"x\":2})"]);
    let without_index = [
        json!([identified("a", json!("t"), json!("{"))]),
        json!([piece(null(), json!("}"))]),
        json!([identified("b", json!("t"), json!("{\"x\":1"))]),
        json!([identified("b", null(), json!("}"))]),
        json!([identified("a", null(), json!(" "))]),
        json!([identified("c", null(), json!("{")), identified("c", json!("u"), json!("}"))]),
    ];
    assert_eq!(of_calls(&without_index), ["call t({} )", "call t({\"x\":1})", "call u({})"]);
    let without_anything = [
        json!([piece(json!("t"), json!("{}")), piece(json!("t"), json!("{\"x\":1}"))]),
        json!([piece(json!("t"), json!("{\"x\":2}"))]),
        json!([piece(json!("u"), json!(""))]),
        json!([piece(json!("v"), null()), piece(json!("v"), null())]),
    ];
    let expected = ["call t({})", "call t({\"x\":1})", "call t({\"x\":2})", "call u({})", "call v({})", "call v({})"];
    assert_eq!(of_calls(&without_anything), expected);
    let same_index_without_id =
        [json!([indexed(0, null(), json!("s"), json!("{}"))]), json!([indexed(0, null(), json!("t"), json!("{}"))])];
    assert_eq!(of_calls(&same_index_without_id), ["call s({})", "call t({})"]);
    let same_id_at_two = [
        json!([indexed(0, json!("a"), json!("s"), json!("{}"))]),
        json!([indexed(1, json!("a"), json!("t"), json!("{}"))]),
    ];
    assert_eq!(of_calls(&same_id_at_two), ["call s({})", "call t({})"]);
}

#[test]
fn one_call_stays_one() {
    let null = || json!(null);
    let call = |index, id: Value, name: Value, arguments: &str| json!([indexed(index, id, name, json!(arguments))]);
    let name_again = [
        call(0, json!("a"), json!("t"), "{"),
        call(0, json!("a"), json!("t"), "\"x\":1}"),
        call(0, json!("a"), json!("t"), " "),
        call(0, null(), json!("t"), ""),
    ];
    assert_eq!(of_calls(&name_again), ["call t({\"x\":1} )"]);
    let name_in_pieces =
        [call(0, json!("a"), json!("get_"), ""), call(0, null(), json!("x"), ""), call(0, null(), null(), "{}")];
    assert_eq!(of_calls(&name_in_pieces), ["call get_x({})"]);
    let name_late = [call(0, json!("a"), null(), "{"), call(0, json!(""), json!("t"), "}")];
    assert_eq!(of_calls(&name_late), ["call t({})"]);
    let new_ids = [call(0, json!("a"), json!("t"), "{"), call(0, json!("b"), null(), "}")];
    assert_eq!(of_calls(&new_ids), ["call t({})"]);
    let name_again_without_index_or_id =
        [json!([piece(json!("t"), json!("{\"x\":"))]), json!([piece(json!("t"), json!("1}"))])];
    assert_eq!(of_calls(&name_again_without_index_or_id), ["call t({\"x\":1})"]);
    let id_late = [json!([piece(json!("t"), json!("{"))]), json!([identified("a", null(), json!("}"))])];
    assert_eq!(of_calls(&id_late), ["call t({})"]);
    let nothing = [json!([{"index": 0}]), json!([{}]), json!([indexed(1, json!(""), json!(""), json!(""))]), json!([])];
    assert_eq!(of_calls(&nothing), [""; 0]);
}

#[test]
fn arguments_may_be_objects_or_missing() {
    assert_eq!(of_calls(&[json!([piece(json!("t"), json!({"x": 1}))])]), ["call t({\"x\":1})"]);
    assert_eq!(of_calls(&[json!([{"index": 0, "id": "a", "function": {"name": "t"}}])]), ["call t({})"]);
    assert_eq!(of_calls(&[json!([{"index": 0, "id": "a"}])]), ["call ({})"]);
    let mixed = [
        chunk(json!({"tool_calls": [indexed(0, json!("a"), json!("t"), json!("{"))]}), json!(null)),
        chunk(json!({"tool_calls": [indexed(0, json!("a"), json!(null), json!({"x": 1}))]}), json!(null)),
    ];
    assert!(answer(stream_of(&mixed).as_bytes()).expect_err("they do not mix").contains("Mixed"));
}

#[test]
fn calls_without_an_id_are_given_one() {
    let response =
        of_deltas(&[json!({"tool_calls": [piece(json!("s"), json!("{}")), piece(json!("t"), json!("{}"))]})]);
    let ids: Vec<_> = response.tool_calls().map(|call| call.tool_call_id.clone()).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1] && ids.iter().all(|id| !id.is_empty()), "{ids:?}");
}

#[test]
fn the_first_choice_is_read() {
    let two = json!({"choices": [{"index": 1, "delta": {"content": "no"}}, {"index": 0, "delta": {"content": "yes"}}]});
    let other = json!({"choices": [{"index": 1, "delta": {"content": "no"}, "finish_reason": "length"}]});
    let unnumbered = json!({"choices": [{"delta": {"content": "!"}, "finish_reason": "stop"}]});
    let response = answer((stream_of(&[two, other, unnumbered, usage()])).as_bytes()).expect("an answer");
    assert_eq!((short(&response), response.finish_reason), (vec!["text: yes!".to_owned()], Some(FinishReason::Stop)));
}

#[test]
fn usage_comes_last_or_beside_choices() {
    let counted = |chunks: &[Value]| {
        let usage = answer((stream_of(chunks) + "data: [DONE]\n\n").as_bytes()).expect("an answer").usage;
        (usage.input_tokens, usage.output_tokens)
    };
    let text = || chunk(json!({"content": "x"}), json!(null));
    let end = || chunk(json!({}), json!("stop"));
    let with = |mut chunk: Value, output: u64| {
        chunk["usage"] = json!({"prompt_tokens": 10, "completion_tokens": output});
        chunk
    };
    assert_eq!(counted(&[text(), end(), usage()]), (10, 5));
    assert_eq!(counted(&[text(), with(end(), 4)]), (10, 4));
    assert_eq!(counted(&[with(text(), 1), with(text(), 2), with(end(), 3)]), (10, 3));
    assert_eq!(counted(&[with(end(), 3), json!({"choices": [], "usage": null})]), (10, 3));
    assert_eq!(counted(&[text(), end(), json!({"choices": [], "usage": {"prompt_tokens": "many"}})]), (0, 0));
}

#[test]
fn a_reply_is_whole_with_its_end_mark_or_with_all_that_was_asked_for() {
    let text = || chunk(json!({"content": "x"}), json!(null));
    let end = || chunk(json!({}), json!("stop"));
    let mut early = text();
    early["usage"] = json!({"prompt_tokens": 1});
    let done = "data: [DONE]\n\n".to_owned();
    for whole in [
        stream_of(&[text()]) + &done,
        stream_of(&[text(), end()]) + &done,
        stream_of(&[text(), end()]) + "data: [DONE]",
        stream_of(&[text(), end(), usage()]),
        stream_of(&[text(), end(), usage()]) + "data: [DO",
        stream_of(&[text(), end(), usage()]) + &done + "data: more\n\n",
        stream_of(&[text()]) + "data:\n\n: ping\n\ndata: [DONE] \n\n",
    ] {
        let response = answer(whole.as_bytes()).expect("it is whole");
        assert_eq!((short(&response), response.finish_reason), (vec!["text: x".to_owned()], Some(FinishReason::Stop)));
    }
    for cut in [
        String::new(),
        stream_of(&[text()]),
        stream_of(&[early.clone()]),
        stream_of(&[early, end()]),
        stream_of(&[text(), end()]),
        stream_of(&[text(), end()]) + "data: [DONE",
        stream_of(&[text(), usage()]),
        stream_of(&[text(), end()]) + stream_of(&[usage()]).trim_end(),
    ] {
        assert_eq!(answer(cut.as_bytes()).expect_err(&cut), "cut");
    }
    for empty in [done.clone(), stream_of(&[usage()]) + &done, "data: {}\n\n".to_owned() + &done] {
        assert_eq!(answer(empty.as_bytes()).expect_err(&empty), "Unusable(\"its reply has no `choices`\")");
    }
}

#[test]
fn refusals_are_kept() {
    let refused =
        of_deltas(&[json!({"content": "", "refusal": "N"}), json!({"refusal": "o."}), json!({"content": "x"})]);
    assert!(refused.parts.is_empty() && refused.finish_reason == Some(FinishReason::ContentFilter));
    assert_eq!(refused.provider_details.map(|details| details.to_value()), Some(json!({"refusal": "No."})));
    let unrefused = of_deltas(&[json!({"refusal": "", "content": "x"}), json!({"refusal": null})]);
    assert_eq!(short(&unrefused), ["text: x"]);
    assert_eq!(unrefused.provider_details.map(|details| details.to_value()), Some(json!({"finish_reason": "stop"})));
}

#[test]
fn errors_within_a_stream_are_told() {
    let text = stream_of(&[chunk(json!({"content": "x"}), json!(null))]);
    for error in [
        r#"{"error": {"message": "overloaded"}}"#,
        r#"{"error": "overloaded", "choices": []}"#,
        r#"{"object": "error", "message": "overloaded", "code": 500}"#,
        r#"{"choices": [{"delta": {}, "finish_reason": "error"}], "error": {"code": 502, "message": "overloaded"}}"#,
    ] {
        let events = format!("{text}event: error\ndata: {error}\n\ndata: [DONE]\n\n");
        assert_eq!(answer(events.as_bytes()).expect_err(error), r#"Told("overloaded")"#);
    }
    for odd in ["nonsense", "[1]", "{", r#"{"choices": "x"}"#] {
        let events = format!("{text}data: {odd}\n\ndata: [DONE]\n\n");
        assert!(answer(events.as_bytes()).expect_err(odd).starts_with("Form"), "{odd}");
    }
}

#[test]
fn events_tell_of_the_parts_of_the_response() {
    let deltas = [
        json!({"content": "Let"}),
        json!({"content": " me"}),
        json!({"tool_calls": [indexed(0, json!("1"), json!("t"), json!(""))]}),
        json!({"tool_calls": [indexed(0, json!(null), json!(null), json!("{}"))]}),
    ];
    let chunks: Vec<_> = deltas.iter().map(|delta| chunk(delta.clone(), json!(null))).collect();
    let mut told = Vec::new();
    let mut listen = |event| told.push(event);
    let events = stream_of(&chunks) + "data: [DONE]\n\n";
    let response = answer_told(events.as_bytes(), &mut PartEvents::new(&mut listen)).expect("an answer");
    let kinds = told.iter().map(|event| match event {
        PartEvent::Start { index, .. } => format!("start {index}"),
        PartEvent::Delta { index, .. } => format!("delta {index}"),
        PartEvent::End { index, part } => {
            assert_eq!(*part, response.parts[*index]);
            format!("end {index}")
        }
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["start 0", "delta 0", "end 0", "start 1", "delta 1", "end 1"]);
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
    let events = stream_of(&[chunk(json!({"content": "done"}), json!("stop")), usage()]) + "data: [DONE]\n\n";
    let server = Server::start(vec![over_http(&events)]).await;
    let (response, told) = streamed(&server).await;
    let response = response.expect("an answer");
    assert_eq!((short(&response), told), (vec!["text: done".to_owned()], 2));
    assert_eq!((response.provider_name.as_deref(), response.usage.input_tokens), (Some("openai"), 10));
    let body: Value = serde_json::from_str(&server.bodies()[0]).expect("JSON");
    let messages = json!([{"role": "user", "content": "Go."}]);
    let options = json!({"include_usage": true});
    let asked = json!({"model": "gpt-5.2", "stream": true, "stream_options": options, "seed": 1, "messages": messages});
    assert_eq!(body, asked);
}

#[tokio::test]
async fn a_server_that_tells_no_usage_is_not_asked_for_it() {
    let events = stream_of(&[chunk(json!({"content": "done"}), json!("stop"))]);
    let server = Server::start(vec![over_http(&events)]).await;
    let builder = OpenAiChatModel::builder("m").api_key("k").base_url(&server.url);
    let model = builder.profile(|profile| profile.stream_usage = false).build().expect("a model");
    let mut events = PartEvents::unheard();
    let response = model.request_stream(&question(), &mut RequestCache::default(), &mut events).await;
    assert_eq!(short(&response.expect("an answer")), ["text: done"]);
    assert!(server.bodies()[0].contains(r#""stream":true"#) && !server.bodies()[0].contains("stream_options"));
}

#[tokio::test]
async fn a_server_that_cannot_stream_answers_at_once() {
    let body = json!({"choices": [{"message": {"content": "done"}, "finish_reason": "stop"}]}).to_string();
    let server = Server::start(vec![reply(200, &["content-type: application/json"], &body)]).await;
    let (response, told) = streamed(&server).await;
    assert_eq!((short(&response.expect("an answer")), told), (vec!["text: done".to_owned()], 2));
}

#[tokio::test]
async fn replies_that_break_off_are_errors_to_try_again_after() {
    let text = stream_of(&[chunk(json!({"content": "do"}), json!(null))]);
    for broken in [
        over_http(&text),
        over_http(""),
        over_http("<html>"),
        over_http(&format!("{text}data: {{\"error\": \"not with sk-secret\"}}\n\n")),
        Say::Bytes(crate::http::server::raw(200, &["x-request-id: r1"], 1000, &text)),
    ] {
        let server = Server::start(vec![broken]).await;
        let error = streamed(&server).await.0.expect_err("it is not whole");
        assert_eq!((error.kind(), error.status(), error.request_id()), (ErrorKind::Provider, None, Some("r1")));
        assert!(error.is_retryable() && !error.to_string().contains("sk-secret"), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn unusable_events_and_refused_requests_say_why() {
    let server = Server::start(vec![over_http("data: nonsense\n\n")]).await;
    let error = streamed(&server).await.0.expect_err("nonsense");
    assert_eq!((error.kind(), error.is_retryable(), error.request_id()), (ErrorKind::Provider, false, Some("r1")));
    let server = Server::start(vec![reply(400, &[], r#"{"error": {"message": "no such model"}}"#)]).await;
    let error = streamed(&server).await.0.expect_err("refused");
    assert_eq!(error.status(), Some(400));
    assert!(error.to_string().contains("no such model"), "{error}");
}
