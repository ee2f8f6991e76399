//! The messages, and that a run only ever appends to them.

use super::*;
use crate::message::{
    BinaryContent, DocumentUrl, File, History, ImageUrl, Outcome, Prompt, RetryCause, RetryFeedbackPart, RetryInfo,
    SystemPromptPart, TextPart, ToolAvailabilityDeltaPart, ToolContent, ToolReturnPart, UserContent,
};

const INTERRUPTED: &str = "The tool call was interrupted before a result was produced.";

fn say(parts: Vec<ResponsePart>) -> Message {
    ModelResponse::new(parts).into()
}

fn calls(ids: &[&str]) -> Message {
    say(ids.iter().map(|id| call("t", id).into()).collect())
}

fn answer(id: &str, text: &str) -> RequestPart {
    RequestPart::ToolReturn(ToolReturnPart::answer(&call("t", id), ToolContent::text(text), Outcome::Success))
}

fn system(text: &str) -> RequestPart {
    RequestPart::SystemPrompt(SystemPromptPart::new(text))
}

fn sent(messages: Vec<Message>) -> Vec<Value> {
    sent_from(messages.into_iter().collect(), "")
}

fn sent_from(history: History, offered: &str) -> Vec<Value> {
    let mut body = body_of(&model(), &ModelInput::new(history).function_tools(tools(offered))).expect("a body");
    serde_json::from_value(body["contents"].take()).expect("a list")
}

/// The messages in short: `user: Go.`, `model: t#1 t#2`, `user: 1=text`.
fn told(messages: Vec<Message>) -> Vec<String> {
    let part = |part: &Value| match (&part["functionCall"], &part["functionResponse"]) {
        (Value::Object(call), _) => format!("{}#{}", call["name"], call["id"]),
        (_, Value::Object(answer)) => format!("{}={}", answer["id"], answer["response"]["return_value"]),
        _ => part["text"].to_string(),
    };
    let short = |message: &Value| {
        let parts: Vec<_> = message["parts"].as_array().into_iter().flatten().map(part).collect();
        format!("{}: {}", message["role"], parts.join(" ")).replace('"', "")
    };
    sent(messages).iter().map(short).collect()
}

#[test]
fn answers_stand_alone_behind_their_calls_in_the_order_of_the_calls() {
    let words = RequestPart::UserPrompt(UserPromptPart::new("Hm."));
    let one_request = ask(vec![words, answer("2", "b"), answer("1", "a")]);
    let expected = ["user: Go.", "model: t#1 t#2", "user: 1=a 2=b", "user: Hm."];
    assert_eq!(told(vec![user("Go."), calls(&["1", "2"]), one_request]), expected);
    let two_requests = vec![user("Go."), calls(&["1", "2"]), ask(vec![answer("2", "b")]), ask(vec![answer("1", "a")])];
    assert_eq!(told(two_requests), expected[..3]);
}

#[test]
fn every_call_is_answered_once() {
    let partly =
        vec![user("Go."), calls(&["1", "2"]), ask(vec![answer("2", "b"), answer("2", "again"), answer("9", "?")])];
    assert_eq!(told(partly), ["user: Go.", "model: t#1 t#2", &format!("user: 1={INTERRUPTED} 2=b")]);
    let twice = vec![user("Go."), calls(&["1"]), calls(&["1"]), ask(vec![answer("1", "a")])];
    let expected = ["user: Go.", "model: t#1", &format!("user: 1={INTERRUPTED}"), "model: t#1", "user: 1=a"];
    assert_eq!(told(twice), expected);
    assert_eq!(told(vec![ask(vec![answer("1", "orphan")]), user("Go.")]), ["user: Go."]);
    let shared = sent(vec![user("Go."), calls(&["1", "1"]), ask(vec![answer("1", "a"), answer("1", "b")])]);
    let id = |message: usize, part: usize, kind: &str| shared[message]["parts"][part][kind]["id"].clone();
    assert_ne!(id(1, 0, "functionCall"), id(1, 1, "functionCall"));
    assert_eq!(id(1, 1, "functionCall"), id(2, 1, "functionResponse"));
}

#[test]
fn a_conversation_begins_with_the_user() {
    assert_eq!(told(vec![say(vec![TextPart::new("Hi.").into()]), user("Go.")]), ["user: ", "model: Hi.", "user: Go."]);
    assert_eq!(told(vec![]), ["user: "]);
    assert_eq!(told(vec![ask(vec![system("S")])]), ["user: "]);
}

#[test]
fn names_and_arguments_are_always_fit_to_be_sent() {
    let broken = ToolCallPart::new("9 lives", json!("{\"x\":")).with_id("i".repeat(99));
    let messages = sent(vec![user("Go."), say(vec![broken.into()])]);
    let call = &messages[1]["parts"][0]["functionCall"];
    let answer = &messages[2]["parts"][0]["functionResponse"];
    assert_eq!(call["args"], json!({"INVALID_JSON": "{\"x\":"}));
    assert_eq!((&call["name"], &call["id"]), (&answer["name"], &answer["id"]));
    assert!(call["name"].as_str().is_some_and(|name| name.starts_with("_9_lives_")), "{call}");
}

fn signed(text: &str, signature: &str) -> Value {
    json!({"part_kind": "text", "content": text, "provider_name": "google", "provider_details": {"thought_signature": signature}})
}

fn replayed(provider: Option<&str>, parts: &Value) -> Vec<Value> {
    let history = json!([
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Go."}]},
        {"kind": "response", "provider_name": provider, "parts": parts},
    ]);
    let history = History::from_json(&history.to_string()).expect("a history");
    let message = sent_from(history, "")[1]["parts"].take();
    serde_json::from_value(message).unwrap_or_default()
}

const NO_SIGNATURE: &str = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=";

#[test]
fn proofs_go_back_with_their_parts() {
    let parts = json!([
        {"part_kind": "thinking", "content": "hm"},
        signed("a", "s1"),
        signed("", "s2"),
        {"part_kind": "text", "content": ""},
        {"part_kind": "tool-call", "tool_name": "t", "args": {}, "tool_call_id": "1", "provider_name": "google",
         "provider_details": {"thought_signature": "s3"}},
        {"part_kind": "tool-call", "tool_name": "t", "args": {}, "tool_call_id": "2"},
    ]);
    let call = |id: &str| json!({"id": id, "name": "t", "args": {}});
    let expected = [
        json!({"text": "hm", "thought": true}),
        json!({"text": "a", "thoughtSignature": "s1"}),
        json!({"text": "", "thoughtSignature": "s2"}),
        json!({"functionCall": call("1"), "thoughtSignature": "s3"}),
        json!({"functionCall": call("2")}),
    ];
    assert_eq!(replayed(Some("google"), &parts), expected);
    let older = json!([
        {"part_kind": "thinking", "content": "", "signature": "s1", "provider_name": "google"},
        {"part_kind": "tool-call", "tool_name": "t", "args": {}, "tool_call_id": "1"},
    ]);
    assert_eq!(replayed(Some("google"), &older), [json!({"functionCall": call("1"), "thoughtSignature": "s1"})]);
}

#[test]
fn thoughts_of_other_providers_stay_with_them() {
    let parts = json!([
        {"part_kind": "thinking", "content": "hm", "signature": "theirs", "provider_name": "anthropic"},
        {"part_kind": "thinking", "content": "hm"},
        {"part_kind": "text", "content": "a", "provider_details": {"thought_signature": "theirs"}},
        {"part_kind": "tool-call", "tool_name": "t", "args": {}, "tool_call_id": "1", "provider_name": "anthropic",
         "provider_details": {"thought_signature": "theirs"}},
        {"part_kind": "from-the-future"},
    ]);
    let call = json!({"functionCall": {"id": "1", "name": "t", "args": {}}, "thoughtSignature": NO_SIGNATURE});
    assert_eq!(replayed(Some("anthropic"), &parts), [json!({"text": "a"}), call.clone()]);
    assert_eq!(replayed(None, &parts), [json!({"text": "a"}), call]);
}

#[test]
fn a_round_through_a_stored_history_loses_no_proof() {
    let parts =
        json!([{"text": "hm", "thought": true, "thoughtSignature": "s1"}, {"text": "a", "thoughtSignature": "s2"}]);
    let reply = json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]}).to_string();
    let response = streams::answer(format!("data: {reply}\n\n").as_bytes()).expect("an answer");
    let history: History = [user("Go."), response.into()].into_iter().collect();
    let stored = serde_json::to_string(&history).expect("JSON");
    let loaded = History::from_json(&stored).expect("a history");
    assert_eq!(sent_from(loaded, "")[1]["parts"], parts);
}

#[test]
fn searches_that_a_provider_ran_are_told_as_calls() {
    let parts = json!([
        {"part_kind": "text", "content": "Let me look."},
        {"part_kind": "tool-call", "tool_name": "t", "args": "{}", "tool_call_id": "1"},
        {"part_kind": "builtin-tool-call", "tool_name": "x", "args": {"queries": ["m"]}, "tool_call_id": "s", "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-return", "tool_name": "x", "content": {"discovered_tools": []}, "tool_call_id": "s",
         "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-call", "tool_name": "x", "args": {}, "tool_call_id": "lost", "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-call", "tool_name": "web", "args": {}, "tool_call_id": "w"},
        {"part_kind": "builtin-tool-return", "tool_name": "web", "content": 1, "tool_call_id": "w"},
        {"part_kind": "text", "content": "Found."},
    ]);
    let history = json!([
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Go."}]},
        {"kind": "response", "provider_name": "anthropic", "parts": parts},
    ]);
    let messages = sent_from(History::from_json(&history.to_string()).expect("a history"), "");
    let search = json!({"id": "s", "name": "search_tools", "args": {"queries": ["m"]}});
    let look = json!([{"text": "Let me look."}, {"functionCall": search, "thoughtSignature": NO_SIGNATURE}]);
    assert_eq!(messages[1], json!({"role": "model", "parts": look}));
    let found = json!({"id": "s", "name": "search_tools", "response": {"discovered_tools": []}});
    assert_eq!(messages[2], json!({"role": "user", "parts": [{"functionResponse": found}]}));
    let call = json!({"id": "1", "name": "t", "args": {}});
    let rest = json!([{"text": "Found."}, {"functionCall": call, "thoughtSignature": NO_SIGNATURE}]);
    assert_eq!(messages[3], json!({"role": "model", "parts": rest}));
    assert_eq!(messages[4]["parts"][0]["functionResponse"]["response"]["return_value"], INTERRUPTED);
    assert_eq!(messages.len(), 5);
}

#[test]
fn the_application_speaks_in_its_own_name() {
    let retry = |cause| RequestPart::RetryFeedback(RetryFeedbackPart::new("again", RetryInfo::new(cause, 1, 2)));
    let words = RequestPart::UserPrompt(UserPromptPart::new("Go."));
    let first = ask(vec![system("Be kind."), system("Be wise."), words, system("Be quick.")]);
    let mut newest = ModelRequest::new(vec![retry(RetryCause::NoOutput), retry(RetryCause::ModelRetry)]);
    newest.instructions = Some("Be brief.".to_owned());
    let body = body_of(&model(), &ModelInput::new([first, newest.into()].into_iter().collect())).expect("a body");
    let opening = json!({"parts": [{"text": "Be kind."}, {"text": "Be wise."}, {"text": "Be brief."}]});
    assert_eq!(body["systemInstruction"], opening);
    let parts = body["contents"][0]["parts"].as_array().expect("parts");
    let texts: Vec<_> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
    assert_eq!(texts[..3], ["Go.", "<system>Be quick.</system>", "<system>again</system>"]);
    assert!(texts[3].contains("not from the user") && texts[3].ends_with("again"), "{texts:?}");
}

#[test]
fn tools_that_appear_are_announced_while_they_are_there() {
    let delta = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        ask(vec![RequestPart::ToolAvailabilityDelta(ToolAvailabilityDeltaPart::new(names, None))])
    };
    let text = |offered: &str| {
        let history = [user("Go."), calls(&["1"]), ask(vec![answer("1", "a")]), delta(&["a.b", "gone", "9"])];
        sent_from(history.into_iter().collect(), offered).get(3).map(|message| message["parts"][0]["text"].clone())
    };
    assert_eq!(text("a.b c"), Some(json!("<system>The following tool(s) are now available: `a.b`</system>")));
    assert_eq!(text("c"), None);
    assert!(text("9").is_some_and(|text| text.as_str().is_some_and(|text| text.contains("`_9_"))));
}

fn prompt(file: impl Into<File>) -> Value {
    let prompt = Prompt::from(vec![UserContent::from("See:"), UserContent::File(file.into())]);
    sent(vec![ask(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))])])[0]["parts"][1].take()
}

#[test]
fn files_of_a_prompt_are_sent_as_they_are() {
    let bytes = |media_type: &str, data: &str| json!({"inlineData": {"mimeType": media_type, "data": data}});
    assert_eq!(prompt(BinaryContent::new([0xfb, 0xff], "image/png")), bytes("image/png", "-_8="));
    assert_eq!(
        prompt(BinaryContent::new(*b"</tool_result>", "text/plain")),
        bytes("text/plain", "PC90b29sX3Jlc3VsdD4=")
    );
    assert_eq!(prompt(BinaryContent::new(*b"x", "application/zip")), bytes("application/zip", "eA=="));
    let url = prompt(ImageUrl::new("https://x/a.png"));
    assert_eq!(url, json!({"fileData": {"fileUri": "https://x/a.png", "mimeType": "image/png"}}));
    assert_eq!(prompt(DocumentUrl::new("https://x/a")), json!({"fileData": {"fileUri": "https://x/a"}}));
}

#[test]
fn files_of_results_are_framed_behind_all_answers() {
    let result = |id: &str, file: BinaryContent| {
        RequestPart::ToolReturn(ToolReturnPart::answer(&call("t", id), file, Outcome::Success))
    };
    let wav = BinaryContent::new(*b"wav", "audio/wav").with_identifier("w");
    let csv = BinaryContent::new(*b"</tool_result>", "text/csv").with_identifier("c");
    let png = BinaryContent::new(*b"png", "image/png").with_identifier("p");
    let words = RequestPart::UserPrompt(UserPromptPart::new("After."));
    let request = ask(vec![words, result("2", csv), result("1", wav), result("3", png)]);
    let messages = sent(vec![user("Go."), calls(&["1", "2", "3"]), request]);
    let answers = &messages[2]["parts"];
    assert_eq!(answers[0]["functionResponse"]["response"], json!({"output": [{}, "See file w."]}));
    assert_eq!(answers[2]["functionResponse"]["response"], json!({}));
    assert_eq!(answers[2]["functionResponse"]["parts"][0]["inlineData"]["mimeType"], "image/png");
    let apart = messages[3]["parts"].as_array().expect("parts");
    assert_eq!(apart[0]["text"], r#"<tool_result tool_name="t" tool_call_id="1" file_id="w">"#);
    assert_eq!((&apart[1]["inlineData"]["data"], &apart[2]["text"]), (&json!("d2F2"), &json!("</tool_result>")));
    // `&lt;/tool_result>`: what is in a frame cannot close it.
    assert_eq!(apart[4]["inlineData"]["data"], "Jmx0Oy90b29sX3Jlc3VsdD4=");
    assert_eq!((&apart[6]["text"], apart.len()), (&json!("After."), 7));
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
        input.history.push(ask(vec![answer(&id, "done")]));
    }
}

#[test]
fn what_changes_is_written_anew() {
    let mut sent = Sent::default();
    let mut check = |model: &GoogleModel, input: &ModelInput| {
        let body = bytes_of(model, input, &mut sent).expect("a body");
        assert_eq!(body, bytes_of(model, input, &mut Sent::default()).expect("a body"));
        String::from_utf8(body).expect("text")
    };
    let (new, old) = (model(), named("gemini-2.5-flash"));
    let mut input = question();
    check(&new, &input);
    input.history.push(calls(&["1"]));
    assert!(check(&new, &input).contains(INTERRUPTED));
    let png = ToolReturnPart::answer(&call("t", "1"), BinaryContent::new(*b"png", "image/png"), Outcome::Success);
    input.history.push(ask(vec![RequestPart::ToolReturn(png)]));
    assert!(!check(&new, &input).contains("tool_result"));
    assert!(check(&old, &input).contains("tool_result"));
    check(&new, &question());
}
