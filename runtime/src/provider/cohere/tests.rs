//! Requests and replies, against a server on loopback and without one.

use serde_json::{Value, json};

use super::*;
use crate::error::ErrorKind;
use crate::http::Decoder;
use crate::http::server::{Server, reply};
use crate::message::{
    BinaryContent, FinishReason, History, Message, Prompt, RequestPart, ResponsePart, TextPart, ThinkingPart,
    UserContent, UserPromptPart,
};
use crate::model::{self, Model, ModelInput, PartEvent, Thinking, ToolChoice};
use crate::output::OutputMode;
use crate::provider::conversation::{self, answer, ask, call, question, short, tools, user};
use crate::provider::stream::StreamedReply;
use crate::tool::ToolDefinition;

const NAME: &str = "command-a-reasoning-08-2025";

fn model_at(url: &str) -> CohereModel {
    let builder = CohereModel::builder(NAME).api_key("sk-secret").base_url(url);
    builder.settings(ModelSettings::new().max_retries(0)).build().expect("a model")
}

fn encoded(input: &ModelInput) -> Result<Encoded> {
    encoded_for(&CohereProfile::of(NAME), input)
}

fn encoded_for(profile: &CohereProfile, input: &ModelInput) -> Result<Encoded> {
    request::body(&Asked::whole(NAME, input), profile, &mut Sent::default())
}

fn body(encoded: &Encoded) -> Value {
    serde_json::from_slice(&encoded.body).expect("the body is JSON")
}

fn body_of(input: &ModelInput) -> Value {
    body(&encoded(input).expect("a body"))
}

fn say(parts: Vec<ResponsePart>) -> Message {
    conversation::say(SYSTEM, parts)
}

fn sent(messages: Vec<Message>) -> Vec<Value> {
    let mut body = body_of(&ModelInput::new(messages.into_iter().collect::<History>()));
    serde_json::from_value(body["messages"].take()).expect("a list")
}

#[test]
fn settings_have_coheres_names() {
    let messages = json!([{"role": "user", "content": "Go."}]);
    assert_eq!(body_of(&question()), json!({"model": NAME, "stream": false, "messages": messages}));
    let settings =
        ModelSettings::new().top_p(0.5).stop_sequences(vec!["x".to_owned()]).seed(7).parallel_tool_calls(false);
    let asked = encoded(&question().settings(settings)).expect("a body");
    assert_eq!(
        [&body(&asked)["p"], &body(&asked)["stop_sequences"], &body(&asked)["seed"]],
        [&json!(0.5), &json!(["x"]), &json!(7)]
    );
    assert!(asked.notes[0].contains("parallel_tool_calls"), "{:?}", asked.notes);
    let thinking = |thinking| body_of(&question().settings(ModelSettings::new().thinking(thinking)))["thinking"].take();
    assert_eq!(thinking(Thinking::Off), json!({"type": "disabled"}));
    assert_eq!(thinking(Thinking::On), json!({"type": "enabled"}));
    assert_eq!(thinking(Thinking::Low), json!({"type": "enabled", "token_budget": 2048}));
    let thinking = question().settings(ModelSettings::new().thinking(Thinking::High));
    let plain = encoded_for(&CohereProfile::of("command-a-03-2025"), &thinking).expect("a body");
    assert!(body(&plain).get("thinking").is_none() && plain.notes[0].contains("does not reason"), "{:?}", plain.notes);
}

#[test]
fn choices_leave_out_tools() {
    let chosen = |choice: ToolChoice| {
        let input = question().function_tools(tools("a b c")).settings(ModelSettings::new().tool_choice(choice));
        let body = body_of(&input);
        let names = body["tools"].as_array().into_iter().flatten().map(|tool| tool["function"]["name"].clone());
        (body["tool_choice"].clone(), names.collect::<Vec<_>>())
    };
    let all = || vec![json!("a"), json!("b"), json!("c")];
    assert_eq!(chosen(ToolChoice::Auto), (json!(null), all()));
    assert_eq!(chosen(ToolChoice::Required), (json!("REQUIRED"), all()));
    assert_eq!(chosen(ToolChoice::None), (json!("NONE"), all()));
    assert_eq!(chosen(ToolChoice::tools(["b"])), (json!("REQUIRED"), vec![json!("b")]));
    assert_eq!(chosen(ToolChoice::tool_or_output(["a", "c"])), (json!(null), vec![json!("a"), json!("c")]));
    let unknown =
        question().function_tools(tools("a")).settings(ModelSettings::new().tool_choice(ToolChoice::tools(["z"])));
    assert_eq!(encoded(&unknown).err().map(|error| error.kind()), Some(ErrorKind::Misuse));
}

#[test]
fn tools_are_strict_all_together_where_that_is_switched_on() {
    let mut profile = CohereProfile::of(NAME);
    let tool = |name: &str, strict| ToolDefinition::new(name).with_strict(strict);
    let all = question().function_tools([tool("a", true), tool("b", true)]);
    let off = encoded_for(&profile, &all).expect("a body");
    assert!(body(&off).get("strict_tools").is_none() && off.notes.len() == 2, "{:?}", off.notes);
    profile.strict_tools = true;
    let on = encoded_for(&profile, &all).expect("a body");
    assert!(body(&on)["strict_tools"] == true && on.notes.is_empty(), "{:?}", on.notes);
    let some = encoded_for(&profile, &question().function_tools([tool("a", true), tool("b", false)])).expect("a body");
    assert!(body(&some).get("strict_tools").is_none() && some.notes.len() == 1, "{:?}", some.notes);
    assert!(body(&encoded_for(&profile, &question()).expect("a body")).get("strict_tools").is_none());
}

#[test]
fn a_format_is_for_requests_without_tools() {
    let formatted = |mode, names| {
        let mut input = question().function_tools(tools(names));
        input.output_format = Some(conversation::format(mode).into());
        encoded(&input)
    };
    let format = |mode| body(&formatted(mode, "").expect("a body"))["response_format"].take();
    assert_eq!(format(OutputMode::Prompted), json!({"type": "json_object"}));
    assert_eq!(format(OutputMode::Native), json!({"type": "json_object", "json_schema": {"type": "object"}}));
    let prompted = formatted(OutputMode::Prompted, "t").expect("a body");
    assert!(body(&prompted).get("response_format").is_none() && prompted.notes.len() == 1, "{:?}", prompted.notes);
    let error = formatted(OutputMode::Native, "t").err().expect("misuse");
    assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains(".prompted()"), "{error}");
}

#[test]
fn plans_and_thoughts_go_back_to_whom_they_came_from() {
    let thoughts = |provider: Option<&str>| {
        let mut part = ThinkingPart::new("hm");
        part.provider_name = provider.map(str::to_owned);
        ResponsePart::Thinking(part)
    };
    let parts = || vec![thoughts(None), thoughts(Some("openai")), TextPart::new("a").into(), call("1").into()];
    let planned = |provider: &str| {
        let mut response = ModelResponse::new(parts());
        response.provider_name = Some(provider.to_owned());
        response.provider_details = Some(json!({"tool_plan": "I call."}).into());
        sent(vec![response.into()])[0].clone()
    };
    let calls = json!([{"type": "function", "id": "1", "function": {"name": "t", "arguments": "{\"x\":1}"}}]);
    let own = json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}]);
    assert_eq!(
        planned(SYSTEM),
        json!({"role": "assistant", "content": own, "tool_plan": "I call.", "tool_calls": calls})
    );
    let text = json!([{"type": "text", "text": "a"}]);
    assert_eq!(planned("openai"), json!({"role": "assistant", "content": text, "tool_calls": calls}));
    let only = sent(vec![say(vec![call("1").into()]), ask(vec![answer("1", json!("done"))])]);
    assert_eq!(only[0], json!({"role": "assistant", "tool_calls": calls}));
    assert_eq!(only[1], json!({"role": "tool", "tool_call_id": "1", "content": "done"}));
}

#[test]
fn files_are_noted_or_refused_but_images_of_models_that_see() {
    let file = |media_type: &str| BinaryContent::new(*b"x", media_type).with_identifier("f");
    let prompt = |profile: &CohereProfile, media_type: &str| {
        let prompt = Prompt::from(vec![UserContent::from("See:"), UserContent::File(file(media_type).into())]);
        encoded_for(
            profile,
            &ModelInput::new([ask(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))])].into_iter().collect()),
        )
    };
    let (plain, vision) = (CohereProfile::of(NAME), CohereProfile::of("command-a-vision-07-2025"));
    for media_type in ["image/png", "audio/wav", "video/mp4", "application/pdf", "text/plain"] {
        assert_eq!(prompt(&plain, media_type).err().map(|error| error.kind()), Some(ErrorKind::Misuse), "{media_type}");
    }
    let seen = body(&prompt(&vision, "image/png").expect("an image"));
    assert_eq!(
        seen["messages"][0]["content"][1],
        json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,eA=="}})
    );
    let messages = sent(vec![say(vec![call("1").into()]), ask(vec![answer("1", file("text/plain"))])]);
    assert_eq!(messages[1]["content"], "File f (text/plain, 1 bytes) was not sent: this model cannot read documents.");
}

#[tokio::test]
async fn replies_are_read() {
    let call = json!({"id": "c", "type": "function", "function": {"name": "t", "arguments": "{}"}});
    let usage = json!({"tokens": {"input_tokens": 10.0, "output_tokens": 5}, "cached_tokens": 3, "billed_units": {"input_tokens": 7, "search_units": 0}});
    for (message, expected) in [
        (
            json!({"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}]}),
            vec!["thinking: hm", "text: a"],
        ),
        (
            json!({"content": [{"type": "text", "text": ""}, {"type": "new"}, 1], "tool_calls": [call]}),
            vec!["call t({})"],
        ),
        (json!({"content": null, "tool_calls": null}), vec![]),
        (json!({"content": "a"}), vec!["text: a"]),
        (
            json!({"tool_calls": [{"id": "c", "function": {"name": "t", "arguments": {"a": 1}}}, {}]}),
            vec!["call t({\"a\":1})", "call ({})"],
        ),
    ] {
        let body = json!({"id": "r", "finish_reason": "TOOL_CALL", "message": message, "usage": usage});
        let server = Server::start(vec![reply(200, &[], &body.to_string())]).await;
        let response = model::request(&model_at(&server.url), &question()).await.expect("an answer");
        assert_eq!(short(&response), expected, "{message}");
        assert_eq!(
            (response.finish_reason, response.model_name.as_deref()),
            (Some(FinishReason::ToolCall), Some(NAME))
        );
        let counted = (response.usage.input_tokens, response.usage.output_tokens, response.usage.cache_read_tokens);
        assert_eq!((counted, Value::from(response.usage.details)), ((10, 5, 3), json!({"input_tokens": 7})));
        assert!(server.requests()[0].starts_with("POST /v2/chat HTTP/1.1\r\n"));
        assert!(server.requests()[0].contains("authorization: Bearer sk-secret"));
    }
    for (body, said) in [
        ("{}", "no `message`"),
        ("<html>", "is not the JSON"),
        (r#"{"message": "invalid sk-secret"}"#, "invalid [key]"),
        (r#"{"message": {"tool_plan": 1}}"#, "is not the JSON"),
    ] {
        let server = Server::start(vec![reply(200, &[], body)]).await;
        let error = model::request(&model_at(&server.url), &question()).await.expect_err("unusable");
        assert_eq!((error.kind(), error.status()), (ErrorKind::Provider, None), "{body}");
        assert!(error.to_string().contains(said), "{error}");
    }
    let server = Server::start(vec![reply(422, &[], r#"{"message": "not with sk-secret"}"#)]).await;
    let error = model::request(&model_at(&server.url), &question()).await.expect_err("refused");
    assert!(error.status() == Some(422) && error.to_string().contains("not with [key]"), "{error}");
}

fn event(kind: &str, index: u8, message: Value) -> Value {
    json!({"type": kind, "index": index, "delta": {"message": message}})
}

fn call_event(kind: &str, index: u8, call: Value) -> Value {
    event(kind, index, json!({ "tool_calls": call }))
}

fn content(index: u8, content: Value) -> Value {
    event("content-delta", index, json!({ "content": content }))
}

fn begin() -> Value {
    json!({"type": "message-start", "id": "r", "delta": {"message": {"role": "assistant", "content": [], "tool_calls": []}}})
}

fn end(reason: &str) -> Value {
    let usage = json!({"tokens": {"input_tokens": 10, "output_tokens": 5}});
    json!({"type": "message-end", "delta": {"finish_reason": reason, "usage": usage}})
}

fn stream_of(events: &[Value]) -> String {
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or("x"))).collect()
}

fn example() -> Vec<Value> {
    vec![
        begin(),
        event("content-start", 0, json!({"content": {"type": "thinking", "thinking": ""}})),
        content(0, json!({"thinking": "h"})),
        content(0, json!({"thinking": "m"})),
        json!({"type": "content-end", "index": 0}),
        event("content-start", 1, json!({"content": {"type": "text", "text": ""}})),
        content(1, json!({"text": "Let me."})),
        json!({"type": "content-end", "index": 1}),
        json!({"type": "citation-start", "index": 0, "delta": {"message": {"citations": {"start": 0}}}}),
        event("tool-plan-delta", 0, json!({"tool_plan": "I "})),
        event("tool-plan-delta", 0, json!({"tool_plan": "call."})),
        call_event("tool-call-start", 0, json!({"id": "a", "function": {"name": "t", "arguments": ""}})),
        call_event("tool-call-delta", 0, json!({"function": {"arguments": "{\"x\""}})),
        call_event("tool-call-delta", 0, json!({"function": {"arguments": ":1}"}})),
        json!({"type": "tool-call-end", "index": 0}),
        call_event("tool-call-start", 1, json!({"id": "b", "function": {"name": "t"}})),
        json!({"type": "tool-call-end", "index": 1}),
        json!({"type": "something-new", "delta": {}}),
        end("TOOL_CALL"),
    ]
}

/// What a stream comes to when it ends with this text; the fault is in short.
fn answer_of(mut events: &[u8], told: &mut PartEvents<'_>) -> Result<ModelResponse, String> {
    let names = WireNames::of([].iter()).expect("no names");
    let mut reply = StreamedMessage::new(NAME, &names, told);
    let mut decoder = Decoder::default();
    while !reply.has_ended() && decoder.read(&mut events).expect("small events") {
        reply.read(decoder.data()).map_err(|fault| format!("{fault:?}"))?;
    }
    if !reply.is_whole(decoder.remainder()) {
        return Err("cut".to_owned());
    }
    reply.response("http://localhost/").map_err(|fault| format!("{fault:?}"))
}

fn answered(events: &[Value]) -> Result<ModelResponse, String> {
    answer_of(stream_of(events).as_bytes(), &mut PartEvents::unheard())
}

#[test]
fn events_make_the_response_that_would_have_come_whole() {
    let mut told = Vec::new();
    let mut listen = |event| {
        if let PartEvent::End { part, .. } = event {
            told.push(part);
        }
    };
    let response = answer_of(stream_of(&example()).as_bytes(), &mut PartEvents::new(&mut listen)).expect("an answer");
    assert_eq!(short(&response), ["thinking: hm", "text: Let me.", "call t({\"x\":1})", "call t({})"]);
    assert_eq!(told, response.parts);
    let ids: Vec<_> = response.tool_calls().map(|call| call.tool_call_id.as_str()).collect();
    assert_eq!((ids, response.provider_response_id.as_deref()), (vec!["a", "b"], Some("r")));
    let details = json!({"finish_reason": "TOOL_CALL", "tool_plan": "I call."});
    assert_eq!(response.provider_details.map(|details| details.to_value()), Some(details));
    assert_eq!((response.usage.input_tokens, response.finish_reason), (10, Some(FinishReason::ToolCall)));
}

#[test]
fn odd_streams_are_read_as_far_as_they_make_sense() {
    let interleaved = [
        begin(),
        content(0, json!({"text": "a"})),
        content(1, json!({"text": "x"})),
        content(0, json!({"text": "b"})),
        event("content-delta", 0, json!({"content": "c"})),
        event("content-delta", 0, json!({"content": 1})),
        event("content-delta", 0, json!({})),
        json!({"type": "content-delta"}),
        end("COMPLETE"),
    ];
    assert_eq!(short(&answered(&interleaved).expect("an answer")), ["text: abc", "text: x"]);
    let same_index = [
        begin(),
        call_event("tool-call-delta", 0, json!({"function": {"arguments": "lost"}})),
        call_event("tool-call-start", 0, json!({"id": "a", "function": {"name": "s", "arguments": "{"}})),
        call_event("tool-call-start", 0, json!([{"id": "b", "function": {"name": "t", "arguments": "{"}}])),
        json!({"type": "tool-call-delta", "delta": {"message": {"tool_calls": {"function": {"arguments": "}"}}}}}),
        end("MAX_TOKENS"),
    ];
    let response = answered(&same_index).expect("an answer");
    assert_eq!(
        (short(&response), response.finish_reason),
        (vec!["call s({)".to_owned(), "call t({})".to_owned()], Some(FinishReason::Length))
    );
    let done = stream_of(&[begin(), content(0, json!({"text": "a"}))]) + "data: [DONE]\n\n";
    assert_eq!(answer_of(done.as_bytes(), &mut PartEvents::unheard()).expect_err("cut"), "cut");
    assert_eq!(answered(&[end("COMPLETE")]).expect_err("no start"), "Unusable(\"its reply has no `message-start`\")");
}

#[test]
fn errors_within_a_stream_are_told() {
    for error in [
        json!({"type": "error", "message": "overloaded"}),
        json!({"type": "error", "error": {"message": "overloaded"}}),
        json!({"message": "overloaded"}),
        json!({"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "overloaded"}}),
    ] {
        let fault = answered(&[begin(), content(0, json!({"text": "a"})), error.clone()]).expect_err("an error");
        assert_eq!(fault, r#"Told("overloaded")"#, "{error}");
    }
    assert!(answered(&[begin(), json!({"odd": 1})]).expect_err("an error").starts_with("Told"));
    assert!(answered(&[begin(), json!([1])]).expect_err("an error").starts_with("Form"));
    let mixed = [
        begin(),
        call_event("tool-call-start", 0, json!({"id": "a", "function": {"name": "t", "arguments": "{"}})),
        call_event("tool-call-delta", 0, json!({"function": {"arguments": {"x": 1}}})),
    ];
    assert!(answered(&mixed).expect_err("an error").starts_with("Mixed"));
}

#[test]
fn a_stream_that_is_cut_is_an_error_or_the_whole_answer() {
    let stream = stream_of(&example());
    let whole = answered(&example()).expect("it is whole").parts;
    let mut taken = 0;
    for end in 0..=stream.len() {
        match answer_of(&stream.as_bytes()[..end], &mut PartEvents::unheard()) {
            Ok(cut) => {
                assert_eq!(cut.parts, whole);
                taken += 1;
            }
            Err(fault) => assert_eq!(fault, "cut"),
        }
    }
    assert_eq!(taken, 1, "only the last byte may be missing nothing");
}

#[tokio::test]
async fn a_question_is_asked_and_answered_in_pieces() {
    let events = stream_of(&example());
    let server = Server::start(vec![reply(200, &["content-type: text/event-stream"], &events)]).await;
    let mut unheard = PartEvents::unheard();
    let model = model_at(&format!("{}/v2/", server.url));
    let response = model.request_stream(&question(), &mut RequestCache::default(), &mut unheard).await;
    assert_eq!(short(&response.expect("an answer")).len(), 4);
    let asked: Value = serde_json::from_str(&server.bodies()[0]).expect("JSON");
    assert_eq!(asked["stream"], true);
    assert!(server.requests()[0].starts_with("POST /v2/chat HTTP/1.1\r\n"), "the version is there once");
}

#[test]
fn what_is_wrong_with_a_model_is_said_at_once() {
    let builder = || CohereModel::builder("m").api_key("sk-secret");
    assert_eq!(builder().base_url("ftp://x").build().expect_err("no URL").kind(), ErrorKind::Misuse);
    assert_eq!(builder().api_key("two\nlines").build().expect_err("no key").kind(), ErrorKind::Misuse);
    let model = builder().base_url("https://user:sk-secret@x").build().expect("a model");
    assert!(!format!("{model:?} {:?}", builder()).contains("sk-secret"));
    assert_eq!((model.name(), model.system(), model.has_native_output()), ("m", "cohere", true));
    assert_eq!(sent(vec![user("Go.")]).len(), 1);
}
