//! The items, and that a run only ever appends to them.

use super::*;
use crate::json::Json;
use crate::message::{
    AudioUrl, BinaryContent, DocumentUrl, File, History, ImageUrl, ModelResponse, Outcome, Prompt, ResponsePart,
    RetryCause, RetryFeedbackPart, RetryInfo, SystemPromptPart, TextPart, ThinkingPart, ToolAvailabilityDeltaPart,
    ToolContent, ToolContentItem, ToolReturnPart, UserContent, VideoUrl,
};

fn say(parts: Vec<ResponsePart>) -> Message {
    ModelResponse::new(parts).into()
}

fn calls(ids: &[&str]) -> Message {
    say(ids.iter().map(|id| call("t", id).into()).collect())
}

fn answer(id: &str, content: impl Into<ToolContent>) -> RequestPart {
    RequestPart::ToolReturn(ToolReturnPart::answer(&call("t", id), content, Outcome::Success))
}

fn text_answer(id: &str, text: &str) -> RequestPart {
    answer(id, ToolContent::text(text))
}

fn sent(messages: Vec<Message>) -> Vec<Value> {
    sent_by(&model(), messages, "")
}

fn sent_by(model: &OpenAiResponsesModel, messages: Vec<Message>, offered: &str) -> Vec<Value> {
    let input = ModelInput::new(messages.into_iter().collect()).function_tools(tools(offered));
    let mut body = body_of(model, &input).expect("a body");
    serde_json::from_value(body["input"].take()).expect("a list")
}

/// The items in short: `user`, `call 1`, `1: text`.
fn told(messages: Vec<Message>) -> Vec<String> {
    let short = |item: Value| match item["type"].as_str().unwrap_or_default() {
        "function_call" => format!("call {}", item["call_id"]).replace('"', ""),
        "function_call_output" => format!("{}: {}", item["call_id"], item["output"]).replace('"', ""),
        _ => item["role"].as_str().unwrap_or_default().to_owned(),
    };
    sent(messages).into_iter().map(short).collect()
}

const INTERRUPTED: &str = "The tool call was interrupted before a result was produced.";

#[test]
fn outputs_stand_behind_their_calls_in_the_order_of_the_calls() {
    let one_request =
        ask(vec![RequestPart::UserPrompt(UserPromptPart::new("Hm.")), text_answer("2", "b"), text_answer("1", "a")]);
    let expected = ["user", "call 1", "call 2", "1: a", "2: b", "user"];
    assert_eq!(told(vec![user("Go."), calls(&["1", "2"]), one_request]), expected);
    let two = vec![calls(&["1", "2"]), ask(vec![text_answer("2", "b")]), ask(vec![text_answer("1", "a")])];
    assert_eq!(told(two), expected[1..5]);
}

#[test]
fn every_call_has_one_output() {
    let interrupted = |id: &str| format!("{id}: {INTERRUPTED}");
    let answers = vec![text_answer("2", "b"), text_answer("2", "again"), text_answer("9", "?")];
    assert_eq!(told(vec![calls(&["1", "2"]), ask(answers)]), ["call 1", "call 2", &interrupted("1"), "2: b"]);
    assert_eq!(told(vec![user("Go."), calls(&["1"])]), ["user", "call 1", &interrupted("1")]);
    assert_eq!(told(vec![ask(vec![text_answer("1", "orphan")]), user("Go.")]), ["user"]);
    let twice = sent(vec![calls(&["1", "1"]), ask(vec![text_answer("1", "a"), text_answer("1", "b")])]);
    assert_ne!(twice[0]["call_id"], twice[1]["call_id"]);
    assert_eq!([&twice[2]["call_id"], &twice[3]["call_id"]], [&twice[0]["call_id"], &twice[1]["call_id"]]);
    assert_eq!([&twice[2]["output"], &twice[3]["output"]], ["a", "b"]);
}

#[test]
fn names_and_arguments_are_always_fit_to_be_sent() {
    let broken = ToolCallPart::new("日本", json!("{\"x\":")).with_id("i".repeat(99));
    let name = crate::provider::name::wire_name("日本");
    let items = sent(vec![say(vec![broken.into()])]);
    assert_eq!((&items[0]["name"], &items[0]["arguments"]), (&json!(name), &json!(r#"{"INVALID_JSON":"{\"x\":"}"#)));
    assert_eq!(items[0]["call_id"], items[1]["call_id"]);
    assert!(items[0]["call_id"].as_str().is_some_and(|id| id.len() <= 64));
    let offered = question().function_tools([ToolDefinition::new("日本")]);
    assert_eq!(body_of(&model(), &offered).expect("a body")["tools"][0]["name"], *name);
}

/// A response that the API gave, as it comes out of a stored history.
fn stored(url: &str) -> Message {
    let details = |details: Value| json!({"provider_name": "openai", "provider_details": details});
    let part = |kind: &str, beside: Value, mut more: Value| {
        let object = more.as_object_mut().expect("an object");
        object.insert("part_kind".to_owned(), kind.into());
        object.extend(beside.as_object().cloned().expect("an object"));
        more
    };
    let parts = json!([
        part("thinking", details(json!(null)), json!({"content": "First,", "id": "rs_1", "signature": "gAAA"})),
        part("thinking", details(json!(null)), json!({"content": "then.", "id": "rs_1"})),
        part("text", details(json!({"phase": "commentary"})), json!({"content": "Let", "id": "msg_1"})),
        part("text", details(json!({"phase": "commentary"})), json!({"content": " me.", "id": "msg_1"})),
        part(
            "tool-call",
            details(json!({"namespace": "n"})),
            json!({"tool_name": "t", "args": "{}", "tool_call_id": "1", "id": "fc_1"})
        ),
    ]);
    let response = json!([{"kind": "response", "provider_name": "openai", "provider_url": url, "parts": parts}]);
    let history = History::from_json(&response.to_string()).expect("a history");
    history.last().expect("a response").clone()
}

#[test]
fn what_the_server_gave_goes_back_to_it_as_it_came() {
    let items = sent(vec![stored("http://localhost:1/v1/"), ask(vec![text_answer("1", "a")])]);
    let summary = ["First,", "then."].map(|text| json!({"type": "summary_text", "text": text}));
    let content = ["Let", " me."].map(|text| json!({"type": "output_text", "text": text, "annotations": []}));
    let expected = json!([
        {"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": "gAAA"},
        {"type": "message", "role": "assistant", "status": "completed", "id": "msg_1", "phase": "commentary", "content": content},
        {"type": "function_call", "id": "fc_1", "call_id": "1", "name": "t", "namespace": "n", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "1", "output": "a"},
    ]);
    assert_eq!(Value::from(items), expected);
}

#[test]
fn another_server_does_not_know_items_by_their_ids() {
    let items = sent(vec![stored("https://elsewhere.example/v1"), ask(vec![text_answer("1", "a")])]);
    let texts: Vec<_> = items[1..3].iter().map(|item| &item["content"]).collect();
    assert_eq!((&items[0]["encrypted_content"], texts), (&json!("gAAA"), vec![&json!("Let"), &json!(" me.")]));
    assert!(items[1..].iter().all(|item| item.get("id").is_none()), "{items:?}");
}

#[test]
fn models_that_do_not_reason_are_told_the_words_alone() {
    let items = sent_by(&named("gpt-4o"), vec![stored(SERVER), ask(vec![text_answer("1", "a")])], "");
    let expected = json!([
        {"role": "assistant", "content": "Let"},
        {"role": "assistant", "content": " me."},
        {"type": "function_call", "call_id": "1", "name": "t", "namespace": "n", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "1", "output": "a"},
    ]);
    assert_eq!(Value::from(items), expected);
}

fn thought(content: &str, id: &str, provider: &str) -> ThinkingPart {
    let mut part = ThinkingPart::new(content);
    part.id = Some(id.to_owned());
    part.provider_name = Some(provider.to_owned());
    part
}

#[test]
fn thoughts_of_others_are_not_sent_as_the_models_own() {
    let mut signed = thought("theirs", "rs_1", "anthropic");
    signed.signature = Some("proof".to_owned());
    let nameless = ThinkingPart { provider_name: None, ..signed.clone() };
    let by_chat = thought("by chat", "reasoning_content", "openai");
    let empty = thought("", "rs_2", "openai");
    let parts = [signed, nameless, by_chat, empty].map(ResponsePart::Thinking);
    assert_eq!(told(vec![say(parts.to_vec()), user("Go.")]), ["user"]);
    let own = sent(vec![say(vec![ResponsePart::Thinking(thought("mine", "rs_3", "openai"))])]);
    assert_eq!((&own[0]["id"], &own[0]["summary"][0]["text"]), (&json!("rs_3"), &json!("mine")));
}

#[test]
fn thoughts_in_full_go_back_where_they_are_given() {
    let mut part = thought("", "rs_1", "openai");
    part.provider_details = Some(json!({"raw_content": ["hm", "ah"]}).into());
    let items = sent_by(&named("gpt-oss-20b"), vec![say(vec![ResponsePart::Thinking(part)])], "");
    let content = ["hm", "ah"].map(|text| json!({"type": "reasoning_text", "text": text}));
    assert_eq!(Value::from(items), json!([{"type": "reasoning", "id": "rs_1", "summary": [], "content": content}]));
}

#[test]
fn searches_that_a_provider_ran_are_told_as_calls() {
    let parts = json!([{"kind": "response", "parts": [
        {"part_kind": "builtin-tool-call", "tool_name": "x", "args": {"queries": ["m"]}, "tool_call_id": "s", "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-return", "tool_name": "x", "content": {"discovered_tools": []}, "tool_call_id": "s",
         "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-call", "tool_name": "web", "args": {}, "tool_call_id": "w"},
        {"part_kind": "from-the-future"},
        {"part_kind": "text", "content": "Found."},
    ]}]);
    let history = History::from_json(&parts.to_string()).expect("a history");
    let body = body_of(&model(), &ModelInput::new(history)).expect("a body");
    let expected = json!([
        {"type": "function_call", "call_id": "s", "name": "search_tools", "arguments": r#"{"queries":["m"]}"#},
        {"type": "function_call_output", "call_id": "s", "output": r#"{"discovered_tools":[]}"#},
        {"role": "assistant", "content": "Found."},
    ]);
    assert_eq!(body["input"], expected);
}

#[test]
fn the_application_speaks_in_its_own_name() {
    let retry = |cause| RequestPart::RetryFeedback(RetryFeedbackPart::new("again", RetryInfo::new(cause, 1, 2)));
    let system = || RequestPart::SystemPrompt(SystemPromptPart::new("Be kind."));
    let first = ask(vec![system(), RequestPart::UserPrompt(UserPromptPart::new("Go.")), system()]);
    let newest = ask(vec![retry(RetryCause::NoOutput), retry(RetryCause::ModelRetry)]);
    let items = sent(vec![first, newest]);
    let roles: Vec<_> = items.iter().filter_map(|item| item["role"].as_str()).collect();
    assert_eq!(roles, ["system", "user", "system", "system", "user"]);
    assert!(items[4]["content"].as_str().is_some_and(|text| text.contains("not from the user")));
    let input = ModelInput::new([ask(vec![system()])].into_iter().collect());
    assert_eq!(body_of(&named("o1-mini"), &input).expect("a body")["input"][0]["role"], "user");
}

#[test]
fn tools_that_appear_are_announced_while_they_are_there() {
    let names = ["a", "gone"].map(str::to_owned).to_vec();
    let delta = || ask(vec![RequestPart::ToolAvailabilityDelta(ToolAvailabilityDeltaPart::new(names.clone(), None))]);
    let text = |offered: &str| {
        let items = sent_by(&model(), vec![user("Go."), delta()], offered);
        items.get(1).map(|item| item["content"].clone())
    };
    assert_eq!(text("a c"), Some(json!("The following tool(s) are now available: `a`")));
    assert_eq!(text("c"), None);
}

fn prompt(file: impl Into<File>) -> Result<Value> {
    let prompt = Prompt::from(vec![UserContent::from("See:"), UserContent::File(file.into())]);
    let input =
        ModelInput::new([ask(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))])].into_iter().collect());
    Ok(body_of(&model(), &input)?["input"][0]["content"][1].take())
}

#[test]
fn files_of_a_prompt_are_sent_or_refused() {
    let image = |url: &str| json!({"type": "input_image", "detail": "auto", "image_url": url});
    let png = BinaryContent::new(*b"png", "image/png");
    assert_eq!(prompt(png).expect("an image"), image("data:image/png;base64,cG5n"));
    assert_eq!(prompt(ImageUrl::new("https://x/a.png")).expect("an image"), image("https://x/a.png"));
    let pdf = prompt(DocumentUrl::new("https://x/a.pdf")).expect("a document");
    assert_eq!(pdf, json!({"type": "input_file", "file_url": "https://x/a.pdf"}));
    for (media_type, filename) in [
        ("application/pdf", "filename.pdf"),
        ("text/plain; charset=utf-8", "filename.txt"),
        ("text/csv", "filename.csv"),
        ("text/html", "filename.html"),
        ("text/markdown", "filename.md"),
    ] {
        let file = prompt(BinaryContent::new(*b"abc", media_type)).expect("a document");
        let data = format!("data:{media_type};base64,YWJj");
        assert_eq!(file, json!({"type": "input_file", "file_data": data, "filename": filename}));
    }
    let data = prompt(BinaryContent::new(*b"{}", "application/json").with_identifier("f")).expect("a text");
    let inlined = "-----BEGIN FILE id=\"f\" type=\"application/json\"-----\n{}\n-----END FILE id=\"f\"-----";
    assert_eq!(data, json!({"type": "input_text", "text": inlined}));
    let refused: [File; 6] = [
        BinaryContent::new(*b"x", "video/mp4").into(),
        BinaryContent::new(*b"x", "audio/wav").into(),
        BinaryContent::new(*b"x", "application/zip").into(),
        BinaryContent::new([255], "application/json").into(),
        VideoUrl::new("https://x/a.mp4").into(),
        AudioUrl::new("https://x/a.mp3").into(),
    ];
    for file in refused {
        let error = prompt(file.clone()).expect_err("misuse");
        assert!(error.to_string().contains(file.identifier()), "{error}");
    }
}

#[test]
fn files_of_results_stand_in_the_results() {
    let output = |model: &OpenAiResponsesModel, content: ToolContent| {
        let items = sent_by(model, vec![calls(&["1"]), ask(vec![answer("1", content)])], "");
        items[1]["output"].clone()
    };
    let file = |media_type: &str| BinaryContent::new(*b"x", media_type).with_identifier("f");
    let items = |files: &[&str]| {
        let files = files.iter().map(|media_type| ToolContentItem::File(file(media_type).into()));
        ToolContent::List([ToolContentItem::Json(Json::from("see"))].into_iter().chain(files).collect())
    };
    let kinds = |output: &Value| -> Vec<String> {
        output.as_array().into_iter().flatten().map(|part| part["type"].to_string().replace('"', "")).collect()
    };
    let note = "File f (audio/wav, 1 bytes) was not sent: this model cannot read audio files.";
    assert_eq!(kinds(&output(&model(), file("image/png").into())), ["input_image"]);
    assert_eq!(output(&model(), file("audio/wav").into()), note);
    let mixed = output(&model(), items(&["image/png", "audio/wav", "text/plain", "application/json"]));
    assert_eq!(kinds(&mixed), ["input_text", "input_image", "input_text", "input_file", "input_text"]);
    assert_eq!(mixed[2]["text"], note);
    assert_eq!(output(&model(), items(&["audio/wav"])), json!(["see", note]).to_string());
    let blind = with_profile(|profile| (profile.images, profile.documents) = (false, false));
    let words = output(&blind, items(&["image/png", "application/pdf"]));
    assert!(words.as_str().is_some_and(|text| text.contains("cannot read images") && text.contains("read documents")));
    assert_eq!(kinds(&output(&blind, file("text/csv").into())), ["input_text"]);
}

#[test]
fn a_run_only_appends() {
    let model = model();
    let mut sent = Sent::default();
    let mut input = question().function_tools(tools("t"));
    let mut before = Vec::new();
    for step in 0..20 {
        let body = bytes_of(&model, &input, &mut sent).expect("a body");
        assert!(body.starts_with(&before), "step {step}");
        assert_eq!(body, bytes_of(&model, &input, &mut Sent::default()).expect("a body"));
        before = body[..body.len() - 2].to_vec();
        let id = format!("{step}");
        let thinking = thought("hm", &format!("rs_{step}"), "openai");
        input.history.push(say(vec![ResponsePart::Thinking(thinking), call("t", &id).into()]));
        input.history.push(ask(vec![text_answer(&id, "done")]));
    }
}

#[test]
fn what_changes_is_written_anew() {
    let mut sent = Sent::default();
    let mut check = |model: &OpenAiResponsesModel, input: &ModelInput| {
        let body = bytes_of(model, input, &mut sent).expect("a body");
        assert_eq!(body, bytes_of(model, input, &mut Sent::default()).expect("a body"));
        String::from_utf8(body).expect("text")
    };
    let mut input = question();
    check(&model(), &input);
    input.history.push(stored(SERVER));
    assert!(check(&model(), &input).contains("fc_1"));
    input.history.push(ask(vec![text_answer("1", "late"), RequestPart::SystemPrompt(SystemPromptPart::new("S"))]));
    assert!(!check(&named("gpt-4o"), &input).contains("fc_1"));
    let elsewhere = OpenAiResponsesModel::builder("gpt-5.4").api_key("k").base_url("http://localhost:2/v1").build();
    assert!(!check(&elsewhere.expect("a model"), &input).contains("fc_1"));
    assert!(check(&model(), &input).contains("fc_1"));
    let video = Prompt::from(BinaryContent::new(*b"x", "video/mp4"));
    let mut broken = input.clone();
    broken.history.push(say(vec![TextPart::new("ok").into()]));
    broken.history.push(ask(vec![RequestPart::UserPrompt(UserPromptPart::new(video))]));
    assert!(bytes_of(&model(), &broken, &mut Sent::default()).is_err());
    check(&model(), &input);
}
