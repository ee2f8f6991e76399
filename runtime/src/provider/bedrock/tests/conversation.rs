//! The messages, and that a run only ever appends to them.

use super::*;
use crate::message::{
    BinaryContent, CachePoint, DocumentUrl, File, History, ImageUrl, Outcome, Prompt, RetryCause, RetryFeedbackPart,
    RetryInfo, SystemPromptPart, TextPart, ThinkingPart, ToolAvailabilityDeltaPart, ToolContent, ToolReturnPart,
    UserContent, VideoUrl,
};

fn calls(ids: &[&str]) -> Message {
    say(ids.iter().map(|id| call("t", id).into()).collect())
}

fn answer(id: &str, content: impl Into<ToolContent>) -> RequestPart {
    RequestPart::ToolReturn(ToolReturnPart::answer(&call("t", id), content, Outcome::Success))
}

fn text_answer(id: &str) -> RequestPart {
    answer(id, ToolContent::text("ok"))
}

fn prompt(pieces: Vec<UserContent>) -> RequestPart {
    RequestPart::UserPrompt(UserPromptPart::new(Prompt::from(pieces)))
}

fn file(media_type: &str, id: &str) -> BinaryContent {
    BinaryContent::new(*b"x", media_type).with_identifier(id)
}

fn sent(model: &str, messages: Vec<Message>) -> Vec<Value> {
    let input = ModelInput::new(messages.into_iter().collect());
    let mut body = body_of(&named(model), &input).expect("a body");
    serde_json::from_value(body["messages"].take()).expect("a list")
}

/// The messages in short, a letter for each block: `user rt`, `assistant c`.
fn told(model: &str, messages: Vec<Message>) -> Vec<String> {
    let block = |block: &Value| match block.as_object().and_then(|block| block.keys().next()).map(String::as_str) {
        Some("toolResult") => 'r',
        Some("toolUse") => 'c',
        Some("cachePoint") => 'p',
        Some(other) => other.chars().next().unwrap_or('?'),
        None => '?',
    };
    let short = |message: &Value| {
        let blocks: String = message["content"].as_array().into_iter().flatten().map(block).collect();
        format!("{} {blocks}", message["role"].as_str().unwrap_or_default())
    };
    sent(model, messages).iter().map(short).collect()
}

#[test]
fn every_call_has_one_answer_before_all_else() {
    let late = ask(vec![RequestPart::UserPrompt(UserPromptPart::new("Hm.")), text_answer("2")]);
    let messages = sent(CLAUDE, vec![user("Go."), calls(&["1", "2"]), late]);
    let results = messages[2]["content"].as_array().expect("blocks");
    let ids: Vec<_> = results.iter().map(|block| block["toolResult"]["toolUseId"].as_str().unwrap_or("-")).collect();
    assert_eq!(ids, ["1", "2", "-"]);
    assert_eq!(results[0]["toolResult"]["content"][0]["text"], crate::repair::INTERRUPTED);
    assert_eq!(results[0]["toolResult"]["status"], "success");
}

#[test]
fn what_opens_a_conversation_suits_the_model() {
    let assistant = || say(vec![TextPart::new("Hello.").into()]);
    assert_eq!(told(CLAUDE, vec![]), ["user t"]);
    assert_eq!(told(CLAUDE, vec![assistant(), user("Go.")]), ["assistant t", "user t"]);
    assert_eq!(told(NOVA, vec![assistant(), user("Go.")]), ["user t", "assistant t", "user t"]);
    let blank = || say(vec![TextPart::new("\n\n").into()]);
    assert_eq!(told(NOVA, vec![blank(), user("Go."), user(" ")]), ["user t"]);
    let system = |text: &str| RequestPart::SystemPrompt(SystemPromptPart::new(text));
    let opening = ask(vec![
        system("Be kind."),
        system("Be brief."),
        RequestPart::UserPrompt(UserPromptPart::new("Go.")),
        system("Now!"),
    ]);
    let mut input = ModelInput::new([opening].into_iter().collect());
    input.instructions = Some("Instructions.".to_owned());
    let body = body_of(&named(NOVA), &input).expect("a body");
    assert_eq!(body["system"], json!([{"text": "Be kind."}, {"text": "Be brief."}, {"text": "Instructions."}]));
    assert_eq!(body["messages"][0]["content"], json!([{"text": "Go."}, {"text": "<system>Now!</system>"}]));
}

#[test]
fn the_application_and_feedback_speak_among_the_users_words() {
    let retry = |cause| RequestPart::RetryFeedback(RetryFeedbackPart::new("again", RetryInfo::new(cause, 1, 2)));
    let delta = RequestPart::ToolAvailabilityDelta(ToolAvailabilityDeltaPart::new(vec!["t".to_owned()], None));
    let request = ask(vec![retry(RetryCause::NoOutput), retry(RetryCause::ModelRetry), delta]);
    let input = ModelInput::new([user("Go."), say(vec![TextPart::new("x").into()]), request].into_iter().collect());
    let body = body_of(&named(CLAUDE), &input.function_tools(tools("t"))).expect("a body");
    let texts: Vec<_> = body["messages"][2]["content"].as_array().into_iter().flatten().collect();
    assert_eq!(texts[0]["text"], "<system>again</system>");
    assert!(texts[1]["text"].as_str().is_some_and(|text| text.contains("not from the user")));
    assert!(texts[2]["text"].as_str().is_some_and(|text| text.contains("now available: `t`")));
}

#[test]
fn thoughts_go_back_to_whom_they_are_from() {
    let thought = |provider: &str, signature: Option<&str>, id: Option<&str>| {
        let mut part = ThinkingPart::new("hm");
        part.provider_name = Some(provider.to_owned());
        part.signature = signature.map(str::to_owned);
        part.id = id.map(str::to_owned);
        ResponsePart::Thinking(part)
    };
    let all = || {
        say(vec![
            thought("bedrock", Some("sig"), None),
            thought("bedrock", None, None),
            thought("anthropic", Some("sig"), None),
            thought("bedrock", Some("text"), Some("redacted_content")),
            thought("bedrock", Some("/w=="), Some("redacted_bytes")),
            TextPart::new("x").into(),
        ])
    };
    let blocks = sent(CLAUDE, vec![user("Go."), all()])[1]["content"].take();
    let expected = json!([
        {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "sig"}}},
        {"reasoningContent": {"redactedContent": "dGV4dA=="}},
        {"reasoningContent": {"redactedContent": "/w=="}},
        {"text": "x"},
    ]);
    assert_eq!(blocks, expected);
    assert_eq!(told(NOVA, vec![user("Go."), all()]), ["user t", "assistant t"]);
}

#[test]
fn files_of_a_prompt_are_sent_or_refused() {
    let sent_file = |model: &str, file: File| {
        let request = ask(vec![prompt(vec![UserContent::from("See:"), UserContent::File(file)])]);
        body_of(&named(model), &ModelInput::new([request].into_iter().collect()))
            .map(|mut body| body["messages"][0]["content"][1].take())
    };
    let good = |model, file: File| sent_file(model, file).expect("a block");
    assert_eq!(
        good(CLAUDE, file("image/jpeg", "f").into()),
        json!({"image": {"format": "jpeg", "source": {"bytes": "eA=="}}})
    );
    assert_eq!(
        good(NOVA, VideoUrl::new("s3://b/v.mp4?bucketOwner=123456789012").into()),
        json!({"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://b/v.mp4", "bucketOwner": "123456789012"}}}})
    );
    assert_eq!(
        good(CLAUDE, ImageUrl::new("s3://b/a.png").into())["image"]["source"]["s3Location"],
        json!({"uri": "s3://b/a.png"})
    );
    for (media_type, format) in [
        ("text/plain; charset=utf-8", "txt"),
        ("application/json", "txt"),
        ("text/markdown", "md"),
        ("application/pdf", "pdf"),
    ] {
        let block = good(CLAUDE, file(media_type, "f").into());
        assert_eq!(block["document"]["format"], format);
        assert_eq!(block["document"]["name"], "Document 1");
    }
    let refused: [(&str, File); 6] = [
        (CLAUDE, file("video/mp4", "f").into()),
        (CLAUDE, file("audio/wav", "f").into()),
        (CLAUDE, file("image/bmp", "f").into()),
        (CLAUDE, file("application/zip", "f").into()),
        (NOVA, DocumentUrl::new("https://example.com/a.pdf").with_identifier("f").into()),
        ("us.amazon.nova-micro-v1:0", file("image/png", "f").into()),
    ];
    for (model, file) in refused {
        assert!(sent_file(model, file).expect_err("misuse").to_string().contains("`f`"));
    }
}

#[test]
fn documents_have_words_beside_them_and_names_of_their_own() {
    let documents = ask(vec![prompt(vec![
        UserContent::File(file("text/csv", "f").into()),
        UserContent::File(file("text/csv", "g").into()),
    ])]);
    let messages = sent(
        NOVA,
        vec![
            documents,
            say(vec![TextPart::new("x").into()]),
            ask(vec![prompt(vec![UserContent::from("And:"), UserContent::File(file("text/csv", "h").into())])]),
        ],
    );
    let names = |message: &Value| {
        let blocks = message["content"].as_array().into_iter().flatten();
        blocks.filter_map(|block| block["document"]["name"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(names(&messages[0]), ["Document 1", "Document 2"]);
    assert_eq!(names(&messages[2]), ["Document 3"]);
    assert!(messages[0]["content"][0]["text"].is_string() && messages[2]["content"][0]["text"] == "And:");
}

#[test]
fn results_hold_what_the_model_takes_in_them() {
    let items = || ToolContent::from(json!(["a", 1, {"b": null}]));
    let result = |model: &str, content: ToolContent, outcome| {
        let part = RequestPart::ToolReturn(ToolReturnPart::answer(&call("t", "1"), content, outcome));
        sent(model, vec![user("Go."), calls(&["1"]), ask(vec![part])])[2]["content"][0]["toolResult"].take()
    };
    let texts = json!([{"text": "a"}, {"text": "1"}, {"text": "{\"b\":null}"}]);
    assert_eq!(result(CLAUDE, items(), Outcome::Success)["content"], texts);
    let mistral = "mistral.mistral-large-3-675b-instruct";
    assert_eq!(
        result(mistral, items(), Outcome::Success)["content"],
        json!([{"text": "a"}, {"json": 1}, {"json": {"b": null}}])
    );
    assert_eq!(result(CLAUDE, items(), Outcome::Retried)["content"], json!([{"text": "[\"a\",1,{\"b\":null}]"}]));
    assert_eq!(result(CLAUDE, json!([]).into(), Outcome::Success)["content"], json!([{"text": "[]"}]));
    let failed = result(CLAUDE, json!(null).into(), Outcome::Failed);
    assert_eq!(failed["status"], "error");
    assert!(failed["content"][0]["text"].as_str().is_some_and(|text| text.contains("nothing to say")));
    let writer = result("us.writer.palmyra-x5-v1:0", json!("no").into(), Outcome::Failed);
    assert_eq!((&writer["content"], writer.get("status")), (&json!([{"text": "{\"error\":\"no\"}"}]), None));
    let video = result(CLAUDE, file("video/mp4", "v").into(), Outcome::Success);
    assert_eq!(video["content"][0]["text"], "File v (video/mp4, 1 bytes) was not sent: this model cannot read video.");
}

#[test]
fn files_stand_where_the_model_takes_them() {
    let pdf = || ToolContent::from(file("application/pdf", "p"));
    let png = || ToolContent::from(file("image/png", "i"));
    let turn = |parts| vec![user("Go."), calls(&["1", "2"]), ask(parts)];
    assert_eq!(told(CLAUDE, turn(vec![answer("1", pdf()), answer("2", png())]))[2], "user rr");
    // Beside results, each in its frame.
    assert_eq!(told(NOVA, turn(vec![answer("1", pdf()), text_answer("2")]))[2], "user rtdtr");
    // In a message of their own.
    let alone = vec![answer("1", pdf()), text_answer("2"), RequestPart::UserPrompt(UserPromptPart::new("Hm."))];
    assert_eq!(told("qwen.qwen3-vl-235b-a22b", turn(alone.clone()))[2], "user rtdtrt");
    let mistral = "mistral.pixtral-large";
    let images = vec![answer("1", png()), answer("2", png()), RequestPart::UserPrompt(UserPromptPart::new("Hm."))];
    assert_eq!(told(mistral, turn(images))[2..], ["user rr", "assistant t", "user tittitt"]);
    let words = vec![text_answer("1"), text_answer("2"), RequestPart::UserPrompt(UserPromptPart::new("Hm."))];
    assert_eq!(told(LLAMA, turn(words))[2..], ["user rr", "assistant t", "user t"]);
    let document = prompt(vec![UserContent::from("See:"), UserContent::File(file("text/csv", "f").into())]);
    assert_eq!(
        told(CLAUDE, turn(vec![text_answer("1"), text_answer("2"), document]))[2..],
        ["user rr", "assistant t", "user td"]
    );
    let messages = sent(NOVA, turn(vec![answer("1", pdf())]));
    assert_eq!(messages[2]["content"][0]["toolResult"]["content"][0]["text"], "See file p.");
    assert_eq!(messages[2]["content"][1]["text"], r#"<tool_result tool_name="t" tool_call_id="1" file_id="p">"#);
    assert_eq!(messages[2]["content"][3]["text"], "</tool_result>");
}

#[test]
fn searches_that_a_provider_ran_are_told_as_calls() {
    let parts = json!([{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Go."}]}, {"kind": "response", "parts": [
        {"part_kind": "text", "content": "Let me look."},
        {"part_kind": "builtin-tool-call", "tool_name": "x", "args": {"queries": ["m"]}, "tool_call_id": "s", "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-return", "tool_name": "x", "content": {"discovered_tools": []}, "tool_call_id": "s",
         "tool_kind": "tool-search"},
        {"part_kind": "text", "content": "Found."},
    ]}]);
    let history = History::from_json(&parts.to_string()).expect("a history");
    let body = body_of(&named(CLAUDE), &ModelInput::new(history)).expect("a body");
    assert_eq!(body["messages"][1]["content"][1]["toolUse"]["name"], "search_tools");
    assert_eq!(body["messages"][2]["content"][0]["toolResult"]["content"][0]["text"], r#"{"discovered_tools":[]}"#);
    assert_eq!(body["messages"][3], json!({"role": "assistant", "content": [{"text": "Found."}]}));
}

#[test]
fn cache_points_stand_where_the_api_takes_them() {
    let point = || UserContent::CachePoint(CachePoint { ttl: CacheTtl::FiveMinutes, ..CachePoint::default() });
    let text = |text: &str| UserContent::from(text);
    let csv = || UserContent::File(file("text/csv", "f").into());
    let pdf = || UserContent::File(file("application/pdf", "f").into());
    let first = |model: &str, pieces| told(model, vec![ask(vec![prompt(pieces)])]);
    assert_eq!(first(CLAUDE, vec![text("a"), point(), text("b")]), ["user tpt"]);
    assert_eq!(first(CLAUDE, vec![text("a"), csv(), csv(), point()]), ["user tpdd"]);
    assert_eq!(first(CLAUDE, vec![text("a"), pdf(), point()]), ["user tdp"]);
    assert_eq!(first(NOVA, vec![text("a"), pdf(), point(), point()]), ["user tpd"]);
    let later = vec![
        user("Go."),
        calls(&["1"]),
        ask(vec![text_answer("1")]),
        say(vec![TextPart::new("x").into()]),
        ask(vec![prompt(vec![point(), text("b")])]),
    ];
    assert_eq!(told(CLAUDE, later)[2..], ["user rp", "assistant t", "user t"]);
    for pieces in [vec![point(), text("a")], vec![csv(), point(), text("a")]] {
        let input = ModelInput::new([ask(vec![prompt(pieces)])].into_iter().collect());
        // Words are put before documents that have none, but not before others.
        let refused = body_of(&named(CLAUDE), &input);
        assert!(refused.expect_err("misuse").to_string().contains("CachePoint"));
    }
    assert_eq!(first("deepseek.v3.2", vec![text("a"), point()]), ["user t"]);
}

#[test]
fn a_run_only_appends() {
    for model in [CLAUDE, NOVA, LLAMA] {
        let model = named(model);
        let mut sent = Sent::default();
        let mut input = question().function_tools(tools("t"));
        let mut before = Vec::new();
        for step in 0..12 {
            let body = bytes_of(&model, &input, &mut sent).expect("a body");
            assert!(body.starts_with(&before), "step {step}");
            assert_eq!(body, bytes_of(&model, &input, &mut Sent::default()).expect("a body"));
            before = body[..body.len() - 2].to_vec();
            let id = format!("{step}");
            input.history.push(calls(&[&id]));
            let document = prompt(vec![UserContent::from("See:"), UserContent::File(file("text/csv", &id).into())]);
            input.history.push(ask(vec![text_answer(&id), document]));
        }
    }
}
