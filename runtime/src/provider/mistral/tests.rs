//! Requests and replies, against a server on loopback and without one.

use serde_json::{Value, json};

use super::*;
use crate::error::ErrorKind;
use crate::http::server::{Server, reply};
use crate::message::{
    BinaryContent, DocumentUrl, File, FinishReason, History, ImageUrl, Message, Prompt, RequestPart, ResponsePart,
    SystemPromptPart, TextPart, ThinkingPart, UserContent, UserPromptPart,
};
use crate::model::{self, Model, ModelInput, Thinking, ToolChoice};
use crate::output::OutputMode;
use crate::provider::conversation::{self, answer, ask, call, question, short, tools, user};
use crate::tool::ToolDefinition;

fn model_at(url: &str) -> MistralModel {
    let builder = MistralModel::builder("mistral-small-latest").api_key("sk-secret").base_url(url);
    builder.settings(ModelSettings::new().max_retries(0)).build().expect("a model")
}

fn encoded(input: &ModelInput) -> Result<Encoded> {
    let profile = MistralProfile::of("mistral-small-latest");
    request::body(&Asked::whole("mistral-small-latest", input), &profile, &mut Sent::default())
}

fn body_of(input: &ModelInput) -> Result<Value> {
    encoded(input).map(|encoded| serde_json::from_slice(&encoded.body).expect("the body is JSON"))
}

fn say(parts: Vec<ResponsePart>) -> Message {
    conversation::say(SYSTEM, parts)
}

fn sent(messages: Vec<Message>) -> Vec<Value> {
    let mut body = body_of(&ModelInput::new(messages.into_iter().collect::<History>())).expect("a body");
    serde_json::from_value(body["messages"].take()).expect("a list")
}

#[test]
fn settings_have_mistrals_names() {
    assert_eq!(
        body_of(&question()).expect("a body"),
        json!({"model": "mistral-small-latest", "messages": [{"role": "user", "content": "Go."}]})
    );
    let settings = ModelSettings::new().seed(7).stop_sequences(vec!["x".to_owned()]).thinking(Thinking::Low).top_p(0.5);
    let body = body_of(&question().settings(settings)).expect("a body");
    assert_eq!(
        [&body["random_seed"], &body["stop"], &body["reasoning_effort"], &body["top_p"]],
        [&json!(7), &json!(["x"]), &json!("high"), &json!(0.5)]
    );
    let profile = MistralProfile::of("mistral-large-latest");
    let input = question().settings(ModelSettings::new().thinking(Thinking::High));
    let encoded = request::body(&Asked::whole("m", &input), &profile, &mut Sent::default()).expect("a body");
    assert!(encoded.notes[0].contains("does not reason"), "{:?}", encoded.notes);
    let profile = MistralProfile::of("magistral-small-latest");
    let input = question().settings(ModelSettings::new().thinking(Thinking::Off));
    let encoded = request::body(&Asked::whole("m", &input), &profile, &mut Sent::default()).expect("a body");
    assert!(encoded.notes[0].contains("always reasons"), "{:?}", encoded.notes);
}

#[test]
fn choices_are_any_or_a_name_or_fewer_tools() {
    let chosen = |choice: ToolChoice| {
        let input = question().function_tools(tools("a b c")).settings(ModelSettings::new().tool_choice(choice));
        let body = body_of(&input).expect("a body");
        let names = body["tools"].as_array().into_iter().flatten().map(|tool| tool["function"]["name"].clone());
        (body["tool_choice"].clone(), names.collect::<Vec<_>>())
    };
    assert_eq!(chosen(ToolChoice::Auto), (json!("auto"), vec![json!("a"), json!("b"), json!("c")]));
    assert_eq!(chosen(ToolChoice::Required), (json!("any"), vec![json!("a"), json!("b"), json!("c")]));
    assert_eq!(chosen(ToolChoice::None), (json!(null), vec![]));
    assert_eq!(chosen(ToolChoice::tools(["a", "b"])), (json!("any"), vec![json!("a"), json!("b")]));
    let named = json!({"type": "function", "function": {"name": "b"}});
    assert_eq!(chosen(ToolChoice::tools(["b"])), (named, vec![json!("a"), json!("b"), json!("c")]));
    let unknown =
        question().function_tools(tools("a")).settings(ModelSettings::new().tool_choice(ToolChoice::tools(["z"])));
    assert_eq!(encoded(&unknown).err().map(|error| error.kind()), Some(ErrorKind::Misuse));
    let strict = question().function_tools([ToolDefinition::new("a").with_strict(true)]);
    assert!(encoded(&strict).expect("a body").notes[0].contains("not sent as strict"));
}

#[test]
fn references_are_followed_for_models_that_cannot() {
    let schema =
        json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/P"}}, "$defs": {"P": {"type": "integer"}}});
    let input = question().function_tools([ToolDefinition::new("t").with_parameters(schema.clone())]);
    let sent_to = |name: &str| {
        let encoded = request::body(&Asked::whole(name, &input), &MistralProfile::of(name), &mut Sent::default());
        let body: Value = serde_json::from_slice(&encoded.expect("a body").body).expect("JSON");
        body["tools"][0]["function"]["parameters"].clone()
    };
    assert_eq!(sent_to("mistral-large-latest"), schema);
    assert_eq!(sent_to("zai-glm-5-3")["properties"], json!({"p": {"type": "integer"}}));
}

#[test]
fn a_format_is_a_schema_or_json() {
    let formatted = |mode| {
        let mut input = question();
        input.output_format = Some(conversation::format(mode).into());
        body_of(&input).expect("a body")["response_format"].take()
    };
    assert_eq!(formatted(OutputMode::Prompted), json!({"type": "json_object"}));
    let native = formatted(OutputMode::Native);
    assert_eq!(native["type"], "json_schema");
    assert_eq!(native["json_schema"]["schema"], json!({"type": "object"}));
    assert_eq!((&native["json_schema"]["strict"], &native["json_schema"]["description"]), (&json!(true), &json!("D.")));
    assert!(native["json_schema"]["name"].as_str().is_some_and(|name| name.starts_with("a_b_")));
}

#[test]
fn ids_have_nine_characters_and_stay_in_step() {
    let messages = sent(vec![
        user("Go."),
        say(vec![call("abcDEF123").into(), call("call_with_a_long_id").into(), call("abcDEF123").into()]),
        ask(vec![
            answer("call_with_a_long_id", json!(2)),
            answer("abcDEF123", json!(1)),
            answer("abcDEF123", json!(3)),
        ]),
    ]);
    let ids: Vec<_> =
        messages[1]["tool_calls"].as_array().expect("calls").iter().map(|call| call["id"].clone()).collect();
    assert_eq!(ids[0], "abcDEF123");
    for (place, (id, content)) in ids.iter().zip(["1", "2", "3"]).enumerate() {
        assert!(id.as_str().is_some_and(|id| id.len() == 9) && !ids[..place].contains(id), "{id}");
        let answer = &messages[2 + place];
        assert_eq!((&answer["tool_call_id"], &answer["content"]), (id, &json!(content)));
    }
}

#[test]
fn an_assistant_speaks_between_a_tool_and_a_user() {
    let ok = json!({"role": "assistant", "content": [{"type": "text", "text": "OK"}]});
    let tool_then_user =
        vec![say(vec![call("abcdefgh1").into()]), ask(vec![answer("abcdefgh1", json!("a"))]), user("Hm.")];
    let messages = sent(tool_then_user);
    assert_eq!(messages[2..], [ok.clone(), json!({"role": "user", "content": "Hm."})]);
    // A response that says nothing is not sent.
    let silent = vec![
        say(vec![call("abcdefgh1").into()]),
        ask(vec![answer("abcdefgh1", json!("a"))]),
        say(vec![]),
        user(r#"Hm."role":"tool"},"#),
        user("And?"),
    ];
    let messages = sent(silent);
    assert_eq!((messages.len(), &messages[2]), (5, &ok));
    let system = RequestPart::SystemPrompt(SystemPromptPart::new("S."));
    let messages = sent(vec![say(vec![call("abcdefgh1").into()]), ask(vec![answer("abcdefgh1", json!("a")), system])]);
    assert_eq!(messages[2], json!({"role": "system", "content": "S."}));
}

#[test]
fn thoughts_go_back_to_whom_they_came_from() {
    let thoughts = |provider: Option<&str>| {
        let mut part = ThinkingPart::new("hm");
        part.provider_name = provider.map(str::to_owned);
        ResponsePart::Thinking(part)
    };
    let messages = sent(vec![say(vec![thoughts(None), TextPart::new("a").into(), thoughts(Some("openai"))])]);
    let chunks =
        json!([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}]);
    assert_eq!(messages, [json!({"role": "assistant", "content": chunks, "tool_calls": []})]);
    let foreign = ModelResponse::new(vec![thoughts(None), TextPart::new("a").into()]);
    assert_eq!(sent(vec![foreign.into()])[0]["content"], json!([{"type": "text", "text": "a"}]));
}

#[test]
fn files_are_sent_framed_noted_or_refused() {
    let prompt = |file: File| {
        let prompt = Prompt::from(vec![UserContent::from("See:"), UserContent::File(file)]);
        let input =
            ModelInput::new([ask(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))])].into_iter().collect());
        body_of(&input).map(|mut body| body["messages"][0]["content"][1].take())
    };
    let pdf = || BinaryContent::new(*b"pdf", "application/pdf").with_identifier("d");
    let sent_pdf = json!({"type": "document_url", "document_url": "data:application/pdf;base64,cGRm"});
    assert_eq!(prompt(pdf().into()).expect("a document"), sent_pdf);
    let linked = json!({"type": "document_url", "document_url": "https://x/a.pdf"});
    assert_eq!(prompt(DocumentUrl::new("https://x/a.pdf").into()).expect("a document"), linked);
    let image = json!({"type": "image_url", "image_url": {"url": "https://x/a.png"}});
    assert_eq!(prompt(ImageUrl::new("https://x/a.png").into()).expect("an image"), image);
    assert!(
        prompt(BinaryContent::new(*b"a,b", "text/csv").into()).expect("a text")["text"].to_string().contains("a,b")
    );
    let refused: [File; 4] = [
        BinaryContent::new(*b"x", "audio/wav").into(),
        BinaryContent::new(*b"x", "video/mp4").into(),
        BinaryContent::new(*b"x", "application/msword").into(),
        DocumentUrl::new("https://x/a.txt").into(),
    ];
    for file in refused {
        assert_eq!(prompt(file).expect_err("misuse").kind(), ErrorKind::Misuse);
    }
    let wav = BinaryContent::new(*b"wav", "audio/wav").with_identifier("w");
    let messages = sent(vec![
        say(vec![call("abcdefgh1").into(), call("abcdefgh2").into()]),
        ask(vec![answer("abcdefgh1", pdf()), answer("abcdefgh2", wav)]),
    ]);
    assert_eq!(messages[1]["content"], "See file d.");
    assert!(messages[2]["content"].to_string().contains("cannot read audio files"));
    assert_eq!(messages[3]["content"][0]["text"], "OK");
    let frame = r#"<tool_result tool_name="t" tool_call_id="abcdefgh1" file_id="d">"#;
    assert_eq!((&messages[4]["content"][0]["text"], &messages[4]["content"][1]), (&json!(frame), &sent_pdf));
}

fn chunks(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

fn delta(delta: Value, finish_reason: Value) -> Value {
    json!({"id": "r", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]})
}

#[tokio::test]
async fn contents_are_texts_or_chunks() {
    let thought =
        |text: &str| json!({"type": "thinking", "thinking": [{"type": "text", "text": text}, {"type": "reference"}]});
    for (content, expected) in [
        (json!("a"), vec!["text: a"]),
        (json!(""), vec![]),
        (json!(null), vec![]),
        (
            json!([thought("hm"), {"type": "text", "text": "a"}, "b", {"type": "new"}, 1]),
            vec!["thinking: hm", "text: ab"],
        ),
        (json!([{"type": "text", "text": "a"}, thought("hm")]), vec!["text: a", "thinking: hm"]),
        (json!([thought("")]), vec![]),
        (json!({"odd": 1}), vec![]),
    ] {
        let body = json!({"id": "r", "model": "m", "choices": [{"message": {"content": content}, "finish_reason": "model_length"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2}});
        let server = Server::start(vec![reply(200, &[], &body.to_string())]).await;
        let response = model::request(&model_at(&server.url), &question()).await.expect("an answer");
        assert_eq!(short(&response), expected, "{content}");
        assert_eq!(response.finish_reason, Some(FinishReason::Length));
        assert_eq!((response.provider_name.as_deref(), response.usage.input_tokens), (Some("mistral"), 3));
        assert!(server.requests()[0].contains("authorization: Bearer sk-secret"));
        assert!(response.parts.iter().all(|part| !matches!(part, ResponsePart::Thinking(part) if part.id.is_some())));
    }
}

async fn streamed(events: String) -> Result<ModelResponse> {
    let server = Server::start(vec![reply(200, &["content-type: text/event-stream"], &events)]).await;
    let mut events = PartEvents::unheard();
    model_at(&server.url).request_stream(&question(), &mut RequestCache::default(), &mut events).await
}

#[tokio::test]
async fn streams_are_whole_or_errors() {
    let call = |index: u8, arguments: &str| json!({"index": index, "id": format!("abcdefgh{index}"), "function": {"name": "t", "arguments": arguments}});
    let mut last = delta(json!({"content": ""}), json!("tool_calls"));
    last["usage"] = json!({"prompt_tokens": 3, "completion_tokens": 2});
    let events = [
        delta(json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}]}]}), json!(null)),
        delta(json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "m"}]}]}), json!(null)),
        delta(json!({"content": "a"}), json!(null)),
        delta(json!({"tool_calls": [call(0, "{\"x\":1}"), call(1, "{}")]}), json!(null)),
        last,
    ];
    let response = streamed(chunks(&events) + "data: [DONE]\n\n").await.expect("an answer");
    assert_eq!(short(&response), ["thinking: hm", "text: a", "call t({\"x\":1})", "call t({})"]);
    assert_eq!((response.usage.output_tokens, response.finish_reason), (2, Some(FinishReason::ToolCall)));
    let cut = streamed(chunks(&events[..4])).await.expect_err("cut");
    assert_eq!((cut.kind(), cut.is_retryable()), (ErrorKind::Provider, true));
    let told = chunks(&events[..2]) + "data: {\"object\":\"error\",\"message\":\"overloaded sk-secret\"}\n\n";
    let told = streamed(told).await.expect_err("an error").to_string();
    assert!(told.contains("overloaded [key]"), "{told}");
}

#[test]
fn what_is_wrong_with_a_model_is_said_at_once() {
    let builder = || MistralModel::builder("m").api_key("sk-secret");
    assert_eq!(builder().base_url("ftp://x").build().expect_err("no URL").kind(), ErrorKind::Misuse);
    assert_eq!(builder().api_key("two\nlines").build().expect_err("no key").kind(), ErrorKind::Misuse);
    let model = builder().base_url("https://user:sk-secret@x/v1").build().expect("a model");
    assert!(!format!("{model:?} {:?}", builder()).contains("sk-secret"));
    assert_eq!((model.name(), model.system(), model.has_native_output()), ("m", "mistral", true));
}
