//! The messages, and that a run only ever appends to them.

use super::*;
use crate::message::{
    AudioUrl, BinaryContent, CachePoint, DocumentUrl, File, History, ImageUrl, ModelResponse, Outcome, Prompt,
    ResponsePart, RetryCause, RetryFeedbackPart, RetryInfo, SystemPromptPart, TextPart, ThinkingPart,
    ToolAvailabilityDeltaPart, ToolContent, ToolContentItem, ToolReturnPart, UserContent, VideoUrl,
};

const INTERRUPTED: &str = "The tool call was interrupted before a result was produced.";

fn say(parts: Vec<ResponsePart>) -> Message {
    ModelResponse::new(parts).into()
}

fn calls(ids: &[&str]) -> Message {
    say(ids.iter().map(|id| call("t", id).into()).collect())
}

fn answer(id: &str, content: impl Into<ToolContent>, outcome: Outcome) -> RequestPart {
    RequestPart::ToolReturn(ToolReturnPart::answer(&call("t", id), content, outcome))
}

fn done(id: &str, text: &str) -> RequestPart {
    answer(id, ToolContent::text(text), Outcome::Success)
}

fn words(text: &str) -> RequestPart {
    RequestPart::UserPrompt(UserPromptPart::new(text))
}

fn sent(messages: Vec<Message>) -> Vec<Value> {
    sent_to(&model(), messages, "")
}

fn sent_to(model: &AnthropicModel, messages: Vec<Message>, offered: &str) -> Vec<Value> {
    let input = ModelInput::new(messages.into_iter().collect()).function_tools(tools(offered));
    let mut body = body_of(model, &input).expect("a body");
    serde_json::from_value(body["messages"].take()).expect("a list")
}

/// The messages in short: `user: text, result 1`, `assistant: call 1`.
fn told(messages: Vec<Message>) -> Vec<String> {
    let block = |block: &Value| match block["type"].as_str().unwrap_or_default() {
        "text" => block["text"].as_str().unwrap_or_default().to_owned(),
        "tool_use" => format!("call {}", block["id"].as_str().unwrap_or_default()),
        "tool_result" => {
            let text = block["content"][0]["text"].as_str().unwrap_or_default();
            format!("{}={text}", block["tool_use_id"].as_str().unwrap_or_default())
        }
        other => other.to_owned(),
    };
    let short = |message: Value| {
        let blocks: Vec<_> = message["content"].as_array().into_iter().flatten().map(block).collect();
        format!("{}: {}", message["role"].as_str().unwrap_or_default(), blocks.join(", "))
    };
    sent(messages).into_iter().map(short).collect()
}

#[test]
fn answers_open_the_message_after_their_calls_in_the_order_of_the_calls() {
    let one_request = ask(vec![words("Hm."), done("2", "b"), done("1", "a")]);
    let expected = ["user: Go.", "assistant: call 1, call 2", "user: 1=a, 2=b, Hm."];
    assert_eq!(told(vec![user("Go."), calls(&["1", "2"]), one_request]), expected);
    let two_requests = vec![calls(&["1", "2"]), ask(vec![done("2", "b")]), ask(vec![done("1", "a"), words("Hm.")])];
    assert_eq!(told(two_requests), expected[1..]);
}

#[test]
fn every_call_is_answered_once() {
    let partly = vec![calls(&["1", "2"]), ask(vec![done("2", "b"), done("2", "again"), done("9", "?")])];
    assert_eq!(told(partly)[1], format!("user: 1={INTERRUPTED}, 2=b"));
    assert_eq!(told(vec![calls(&["1"])])[1], format!("user: 1={INTERRUPTED}"));
    assert_eq!(told(vec![ask(vec![done("1", "orphan")]), user("Go.")]), ["user: Go."]);
    assert_eq!(told(vec![]), Vec::<String>::new());
    assert_eq!(sent(vec![calls(&["1"])])[1]["content"][0]["is_error"], false);
}

#[test]
fn ids_names_and_arguments_are_always_fit_to_be_sent() {
    let broken = ToolCallPart::new("日本", json!("{\"x\":"));
    let parts = ["i.1", "i.1", "ok_1-2", ""].map(|id| broken.clone().with_id(id).into());
    let messages = sent(vec![say(parts.to_vec())]);
    let blocks = messages[0]["content"].as_array().expect("blocks");
    let ids: Vec<_> = blocks.iter().filter_map(|block| block["id"].as_str()).collect();
    assert!(ids.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))));
    assert!(ids.len() == 4 && ids[0] != ids[1] && ids[2] == "ok_1-2", "{ids:?}");
    let answered: Vec<_> =
        messages[1]["content"].as_array().into_iter().flatten().filter_map(|it| it["tool_use_id"].as_str()).collect();
    assert_eq!(answered, ids);
    let name = crate::provider::name::wire_name("日本");
    assert_eq!((&blocks[0]["name"], &blocks[0]["input"]), (&json!(name), &json!({"INVALID_JSON": "{\"x\":"})));
}

#[test]
fn thoughts_go_back_to_whom_they_came_from() {
    let thought = |content: &str, signature: Option<&str>, id: Option<&str>, provider: &str| {
        let mut part = ThinkingPart::new(content);
        part.signature = signature.map(str::to_owned);
        part.id = id.map(str::to_owned);
        part.provider_name = Some(provider.to_owned());
        ResponsePart::Thinking(part)
    };
    let parts = vec![
        thought("hm", Some("s1"), None, "anthropic"),
        thought("", Some("data"), Some("redacted_thinking"), "anthropic"),
        thought("not signed", None, None, "anthropic"),
        thought("not signed", Some(""), None, "anthropic"),
        thought("foreign", Some("s2"), None, "openai"),
        call("t", "1").into(),
    ];
    let history: History = [say(parts)].into_iter().collect();
    let stored = serde_json::to_string(&history).expect("JSON");
    let history = History::from_json(&stored).expect("a history");
    let mut body = body_of(&model(), &ModelInput::new(history)).expect("a body");
    let blocks = body["messages"][0]["content"].take();
    assert_eq!(blocks[0], json!({"type": "thinking", "thinking": "hm", "signature": "s1"}));
    assert_eq!(blocks[1], json!({"type": "redacted_thinking", "data": "data"}));
    assert_eq!((&blocks[2]["type"], blocks.get(3)), (&json!("tool_use"), None));
}

#[test]
fn responses_of_which_nothing_can_be_sent_are_passed_over() {
    let empty = || say(vec![TextPart::new("").into()]);
    assert_eq!(told(vec![user("Go."), empty(), user("Hm.")]), ["user: Go.", "user: Hm."]);
    let announced = ask(vec![words("Go."), RequestPart::SystemPrompt(SystemPromptPart::new("S."))]);
    let messages = sent_to(&named("claude-opus-5"), vec![announced, empty(), user("Hm.")], "");
    let roles: Vec<_> = messages.iter().filter_map(|message| message["role"].as_str()).collect();
    assert_eq!(roles, ["user", "system", "assistant", "user"]);
}

#[test]
fn results_are_told_item_by_item() {
    let texts = |content: Value, outcome| {
        let messages = sent(vec![calls(&["1"]), ask(vec![answer("1", content, outcome)])]);
        let result = &messages[1]["content"][0];
        let texts: Vec<_> =
            result["content"].as_array().into_iter().flatten().map(|text| text["text"].clone()).collect();
        (texts, result["is_error"] == true)
    };
    let plain = |content, expected: &[&str]| {
        let expected: Vec<_> = expected.iter().map(|text| json!(text)).collect();
        assert_eq!(texts(content, Outcome::Success), (expected, false));
    };
    plain(json!("é"), &["é"]);
    plain(json!(null), &["null"]);
    plain(json!([1, "two", {"n": [3]}]), &["1", "two", r#"{"n":[3]}"#]);
    plain(json!([]), &["[]"]);
    plain(json!(""), &[""]);
    assert_eq!(texts(json!("no"), Outcome::Denied), (vec![json!("no")], false));
    assert_eq!(texts(json!({"a": 1}), Outcome::Failed), (vec![json!(r#"{"a":1}"#)], true));
    assert_eq!(texts(json!([{"type": "missing"}]), Outcome::Retried), (vec![json!(r#"[{"type":"missing"}]"#)], true));
    for nothing in [json!(""), json!(null)] {
        let (said, is_error) = texts(nothing, Outcome::Failed);
        assert!(is_error && said[0].as_str().is_some_and(|text| text.contains("failed")), "{said:?}");
    }
}

#[test]
fn files_of_results_stand_in_them_or_leave_a_note() {
    let png = BinaryContent::new(*b"png", "image/png");
    let items = vec![
        ToolContentItem::Json("see".into()),
        ToolContentItem::File(png.into()),
        ToolContentItem::File(BinaryContent::new(*b"hi", "text/plain; charset=utf-8").into()),
        ToolContentItem::File(BinaryContent::new(*b"pdf", "application/pdf").into()),
        ToolContentItem::File(ImageUrl::new("https://x/a.png").into()),
        ToolContentItem::File(DocumentUrl::new("https://x/a").into()),
        ToolContentItem::File(BinaryContent::new(*b"mp4", "video/mp4").with_identifier("v").into()),
        ToolContentItem::File(BinaryContent::new(*b"bmp", "image/bmp").with_identifier("b").into()),
    ];
    let messages = sent(vec![calls(&["1"]), ask(vec![answer("1", ToolContent::List(items), Outcome::Success)])]);
    let blocks = &messages[1]["content"][0]["content"];
    let source =
        |kind: &str, media_type: &str, data: &str| json!({"type": kind, "media_type": media_type, "data": data});
    assert_eq!(blocks[1], json!({"type": "image", "source": source("base64", "image/png", "cG5n")}));
    assert_eq!(blocks[2], json!({"type": "document", "source": source("text", "text/plain", "hi")}));
    assert_eq!(blocks[3], json!({"type": "document", "source": source("base64", "application/pdf", "cGRm")}));
    assert_eq!(blocks[4], json!({"type": "image", "source": {"type": "url", "url": "https://x/a.png"}}));
    assert_eq!(blocks[5], json!({"type": "document", "source": {"type": "url", "url": "https://x/a"}}));
    assert_eq!(blocks[6]["text"], "File v (video/mp4, 3 bytes) was not sent: this model cannot read video.");
    assert!(blocks[7]["text"].as_str().is_some_and(|note| note.ends_with("cannot read image/bmp images.")));
}

#[test]
fn files_of_a_prompt_are_sent_or_refused() {
    let prompt = |file: File| {
        let prompt = Prompt::from(vec![UserContent::from("See:"), UserContent::File(file)]);
        let history = [ask(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))])].into_iter().collect();
        body_of(&model(), &ModelInput::new(history)).map(|mut body| body["messages"][0]["content"][1].take())
    };
    assert_eq!(prompt(BinaryContent::new(*b"png", "image/png").into()).expect("an image")["type"], "image");
    let refused: [File; 7] = [
        BinaryContent::new(*b"x", "audio/wav").into(),
        BinaryContent::new(*b"x", "text/csv").into(),
        BinaryContent::new(*b"x", "image/svg+xml").into(),
        BinaryContent::new([255], "text/plain").into(),
        VideoUrl::new("https://x/a.mp4").into(),
        AudioUrl::new("https://x/a.mp3").into(),
        DocumentUrl::new("https://x/a.txt").into(),
    ];
    for file in refused {
        let error = prompt(file.clone()).expect_err("misuse");
        assert!(error.to_string().contains(file.identifier()), "{error}");
    }
}

#[test]
fn the_application_speaks_in_its_own_name() {
    let retry = |cause| RequestPart::RetryFeedback(RetryFeedbackPart::new("again", RetryInfo::new(cause, 1, 2)));
    let delta =
        |name: &str| RequestPart::ToolAvailabilityDelta(ToolAvailabilityDeltaPart::new(vec![name.to_owned()], None));
    let system = || RequestPart::SystemPrompt(SystemPromptPart::new("Be kind."));
    let conversation = || {
        let feedback = ask(vec![retry(RetryCause::NoOutput), retry(RetryCause::ModelRetry)]);
        let more = ask(vec![words("More."), system(), delta("a"), delta("gone")]);
        vec![ask(vec![system(), words("Go.")]), say(vec![TextPart::new("Hm.").into()]), feedback, more]
    };
    let tagged = sent_to(&model(), conversation(), "a");
    let texts: Vec<_> = tagged[2]["content"].as_array().into_iter().flatten().map(|text| &text["text"]).collect();
    assert_eq!(texts[0], "<system>again</system>");
    assert!(texts[1].as_str().is_some_and(|text| text.contains("not from the user") && text.ends_with("again")));
    let announced = "The following tool(s) are now available: `a`";
    let rest = ["More.", "<system>Be kind.</system>", &format!("<system>{announced}</system>")];
    assert_eq!(texts[2..], rest);
    let apart = sent_to(&named("claude-opus-4-8"), conversation(), "a b");
    let addition = json!({"type": "tool_addition", "tool": {"type": "tool_reference", "name": "a"}});
    let texts = ["again", "Be kind."].map(|text| json!({"type": "text", "text": text}));
    assert_eq!(apart[3], json!({"role": "system", "content": [texts[0], texts[1], addition]}));
    let alone = vec![user("Go."), say(vec![TextPart::new("Hm.").into()]), ask(vec![retry(RetryCause::NoOutput)])];
    let anchored = sent_to(&named("claude-opus-4-8"), alone, "");
    assert_eq!((&anchored[2]["role"], anchored.len()), (&json!("user"), 3));
}

#[test]
fn searches_that_a_provider_ran_are_told_as_calls() {
    let history = json!([{"kind": "response", "parts": [
        {"part_kind": "text", "content": "Let me look."},
        {"part_kind": "builtin-tool-call", "tool_name": "x", "args": {"queries": ["m"]}, "tool_call_id": "s", "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-return", "tool_name": "x", "content": {"discovered_tools": []}, "tool_call_id": "s",
         "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-call", "tool_name": "web", "args": {}, "tool_call_id": "w"},
        {"part_kind": "from-the-future"},
        {"part_kind": "tool-call", "tool_name": "t", "args": "{}", "tool_call_id": "1"},
    ]}]);
    let history = History::from_json(&history.to_string()).expect("a history");
    let expected = [
        "assistant: Let me look., call s",
        r#"user: s={"discovered_tools":[]}"#,
        "assistant: call 1",
        &format!("user: 1={INTERRUPTED}"),
    ];
    assert_eq!(told(history.iter().cloned().collect()), expected);
}

fn cached(prompt: Vec<UserContent>) -> Message {
    ask(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))])
}

/// The texts that are places to cache up to, with how long.
fn places(messages: &[Value]) -> Vec<(String, String)> {
    let blocks = messages.iter().flat_map(|message| message["content"].as_array().cloned().unwrap_or_default());
    let place = |block: Value| {
        let ttl = block["cache_control"]["ttl"].as_str()?.to_owned();
        Some((block["text"].as_str().or(block["id"].as_str()).unwrap_or_default().to_owned(), ttl))
    };
    blocks.filter_map(place).collect()
}

#[test]
fn prompts_say_up_to_where_they_are_cached() {
    let point = || UserContent::from(CachePoint::new());
    let hour = || UserContent::from(CachePoint::new().with_ttl(CacheTtl::Hour));
    let said = |ttl: &str, text: &str| (text.to_owned(), ttl.to_owned());
    let messages = vec![
        cached(vec!["a".into(), hour(), "b".into()]),
        calls(&["1"]),
        ask(vec![done("1", "x")]),
        say(vec![TextPart::new("c").into()]),
        cached(vec![point(), "d".into(), point()]),
    ];
    let expected = [said("1h", "a"), said("5m", "c"), said("5m", "d")];
    assert_eq!(places(&sent(messages.clone())), expected);
    let mut sent = Sent::default();
    let model = model();
    let mut history = History::default();
    for message in messages {
        history.push(message);
        let input = ModelInput::new(history.clone());
        let kept = bytes_of(&model, &input, &mut sent).expect("a body");
        assert_eq!(kept, bytes_of(&model, &input, &mut Sent::default()).expect("a body"));
    }
    let first = ModelInput::new([cached(vec![point(), "a".into()])].into_iter().collect());
    let error = body_of(&model, &first).expect_err("nothing to cache");
    assert!(error.to_string().contains("cache_instructions"), "{error}");
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
        input.history.push(calls(&[&id]));
        input.history.push(ask(vec![done(&id, "done")]));
    }
}

#[test]
fn what_changes_is_written_anew() {
    let model = model();
    let mut sent = Sent::default();
    let mut check = |model: &AnthropicModel, input: &ModelInput| {
        let body = bytes_of(model, input, &mut sent).expect("a body");
        assert_eq!(body, bytes_of(model, input, &mut Sent::default()).expect("a body"));
        String::from_utf8(body).expect("text")
    };
    let mut input = question();
    check(&model, &input);
    input.history.push(calls(&["1"]));
    assert!(check(&model, &input).contains(INTERRUPTED));
    input.history.push(ask(vec![done("1", "late")]));
    assert!(!check(&model, &input).contains(INTERRUPTED));
    input.history.push(ask(vec![RequestPart::SystemPrompt(SystemPromptPart::new("S"))]));
    assert!(check(&model, &input).contains("<system>S</system>"));
    assert!(check(&named("claude-opus-5"), &input).contains(r#""role":"system""#));
    input.history = [user("Another.")].into_iter().collect();
    check(&model, &input);
    let video = Prompt::from(BinaryContent::new(*b"x", "video/mp4"));
    let mut broken = input.clone();
    broken.history.push(say(vec![TextPart::new("ok").into()]));
    broken.history.push(ask(vec![RequestPart::UserPrompt(UserPromptPart::new(video))]));
    assert!(bytes_of(&model, &broken, &mut Sent::default()).is_err());
    check(&model, &input);
}
