//! The messages, and that a run only ever appends to them.

use super::*;
use crate::message::{
    AudioUrl, BinaryContent, BuiltinToolCallPart, DocumentUrl, File, History, ImageUrl, ModelResponse, Outcome, Prompt,
    ResponsePart, RetryCause, RetryFeedbackPart, RetryInfo, SystemPromptPart, TextPart, ThinkingPart,
    ToolAvailabilityDeltaPart, ToolContent, ToolReturnPart, UserContent, VideoUrl,
};

fn say(parts: Vec<ResponsePart>) -> Message {
    ModelResponse::new(parts).into()
}

fn calls(ids: &[&str]) -> Message {
    say(ids.iter().map(|id| call("t", id).into()).collect())
}

fn answer(id: &str, text: &str) -> RequestPart {
    RequestPart::ToolReturn(ToolReturnPart::answer(&call("t", id), ToolContent::text(text), Outcome::Success))
}

fn sent(messages: Vec<Message>) -> Vec<Value> {
    sent_with(messages, "")
}

fn sent_with(messages: Vec<Message>, offered: &str) -> Vec<Value> {
    let input = ModelInput::new(messages.into_iter().collect()).function_tools(tools(offered));
    let mut body = body_of(&model(), &input).expect("a body");
    serde_json::from_value(body["messages"].take()).expect("a list")
}

/// The messages in short: `user`, `assistant(1 2)`, `tool 1: text`.
fn told(messages: Vec<Message>) -> Vec<String> {
    let short = |message: Value| match message["role"].as_str().unwrap_or_default() {
        "tool" => format!("tool {}: {}", message["tool_call_id"], message["content"]).replace('"', ""),
        "assistant" => {
            let ids: Vec<_> = message["tool_calls"].as_array().into_iter().flatten().map(|call| &call["id"]).collect();
            format!("assistant{}", json!(ids)).replace('"', "")
        }
        role => role.to_owned(),
    };
    sent(messages).into_iter().map(short).collect()
}

const INTERRUPTED: &str = "The tool call was interrupted before a result was produced.";

#[test]
fn answers_stand_behind_their_calls_in_the_order_of_the_calls() {
    let one_request =
        ask(vec![RequestPart::UserPrompt(UserPromptPart::new("Hm.")), answer("2", "b"), answer("1", "a")]);
    let expected = ["user", "assistant[1,2]", "tool 1: a", "tool 2: b", "user"];
    assert_eq!(told(vec![user("Go."), calls(&["1", "2"]), one_request]), expected);
    let two_requests = vec![user("Go."), calls(&["1", "2"]), ask(vec![answer("2", "b")]), ask(vec![answer("1", "a")])];
    assert_eq!(told(two_requests), expected[..4]);
}

#[test]
fn every_call_is_answered_once() {
    let interrupted = |id: &str| format!("tool {id}: {INTERRUPTED}");
    let partly =
        vec![user("Go."), calls(&["1", "2"]), ask(vec![answer("2", "b"), answer("2", "again"), answer("9", "?")])];
    assert_eq!(told(partly), ["user", "assistant[1,2]", &interrupted("1"), "tool 2: b"]);
    assert_eq!(told(vec![user("Go."), calls(&["1"])]), ["user", "assistant[1]", &interrupted("1")]);
    let twice = vec![calls(&["1"]), calls(&["1"]), ask(vec![answer("1", "a")])];
    assert_eq!(told(twice), ["assistant[1]", &interrupted("1"), "assistant[1]", "tool 1: a"]);
    assert_eq!(told(vec![ask(vec![answer("1", "orphan")]), user("Go.")]), ["user"]);
    assert_eq!(told(vec![]), Vec::<String>::new());
}

#[test]
fn calls_that_share_an_id_are_told_apart() {
    let messages = sent(vec![calls(&["1", "1"]), ask(vec![answer("1", "a"), answer("1", "b")])]);
    let ids: Vec<_> =
        messages[0]["tool_calls"].as_array().into_iter().flatten().map(|call| call["id"].clone()).collect();
    assert_ne!(ids[0], ids[1]);
    assert_eq!([&messages[1]["tool_call_id"], &messages[2]["tool_call_id"]], [&ids[0], &ids[1]]);
    assert_eq!([&messages[1]["content"], &messages[2]["content"]], ["a", "b"]);
}

#[test]
fn names_and_arguments_are_always_fit_to_be_sent() {
    let broken = ToolCallPart::new("日本", json!("{\"x\":")).with_id("i".repeat(99));
    let name = crate::provider::name::wire_name("日本");
    let messages = sent(vec![say(vec![broken.into()])]);
    let function = &messages[0]["tool_calls"][0]["function"];
    assert_eq!(*function, json!({"name": name, "arguments": r#"{"INVALID_JSON":"{\"x\":"}"#}));
    assert_eq!(messages[0]["tool_calls"][0]["id"], messages[1]["tool_call_id"]);
    let offered = question().function_tools([ToolDefinition::new("日本")]);
    assert_eq!(body_of(&model(), &offered).expect("a body")["tools"][0]["function"]["name"], *name);
}

#[test]
fn responses_are_told_as_far_as_the_api_can() {
    let texts =
        vec![TextPart::new("a").into(), TextPart::new("").into(), call("t", "1").into(), TextPart::new("b").into()];
    assert_eq!(sent(vec![say(texts)])[0]["content"], "a\n\nb");
    assert!(sent(vec![say(vec![]), say(vec![TextPart::new("").into()])]).is_empty());
    let mut own = ThinkingPart::new("hm");
    own.id = Some("reasoning_content".to_owned());
    own.provider_name = Some("openai".to_owned());
    let foreign = ThinkingPart { provider_name: Some("anthropic".to_owned()), ..own.clone() };
    let thoughts = vec![ResponsePart::Thinking(own), ResponsePart::Thinking(foreign), TextPart::new("a").into()];
    let expected = json!({"role": "assistant", "reasoning_content": "hm", "content": "a"});
    assert_eq!(sent(vec![say(thoughts)]), [expected]);
}

#[test]
fn searches_that_a_provider_ran_are_told_as_calls() {
    let parts = json!([{"kind": "response", "parts": [
        {"part_kind": "tool-call", "tool_name": "t", "args": "{}", "tool_call_id": "1"},
        {"part_kind": "text", "content": "Let me look."},
        {"part_kind": "builtin-tool-call", "tool_name": "x", "args": {"queries": ["m"]}, "tool_call_id": "s", "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-return", "tool_name": "x", "content": {"discovered_tools": []}, "tool_call_id": "s",
         "tool_kind": "tool-search"},
        {"part_kind": "builtin-tool-call", "tool_name": "web", "args": {}, "tool_call_id": "w"},
        {"part_kind": "from-the-future"},
        {"part_kind": "text", "content": "Found."},
    ]}]);
    let history = History::from_json(&parts.to_string()).expect("a history");
    let mut body = body_of(&model(), &ModelInput::new(history)).expect("a body");
    let messages: Vec<Value> = serde_json::from_value(body["messages"].take()).expect("a list");
    assert_eq!(messages[0]["content"], "Let me look.");
    assert_eq!(
        messages[0]["tool_calls"][0]["function"],
        json!({"name": "search_tools", "arguments": r#"{"queries":["m"]}"#})
    );
    assert_eq!(messages[1], json!({"role": "tool", "tool_call_id": "s", "content": r#"{"discovered_tools":[]}"#}));
    assert_eq!((&messages[2]["content"], &messages[2]["tool_calls"][0]["id"]), (&json!("Found."), &json!("1")));
    assert_eq!((messages[3]["content"].as_str(), messages.len()), (Some(INTERRUPTED), 4));
    let unanswered = ResponsePart::BuiltinToolCall(BuiltinToolCallPart {
        tool_kind: Some("tool-search".to_owned()),
        ..serde_json::from_value::<History>(parts)
            .ok()
            .and_then(|history| match history.last() {
                Some(Message::Response(response)) => response.parts.iter().find_map(|part| match part {
                    ResponsePart::BuiltinToolCall(call) => Some(call.clone()),
                    _ => None,
                }),
                _ => None,
            })
            .expect("a call")
    });
    assert!(sent(vec![say(vec![unanswered])]).is_empty());
}

#[test]
fn the_application_speaks_in_its_own_name() {
    let retry = |cause| RequestPart::RetryFeedback(RetryFeedbackPart::new("again", RetryInfo::new(cause, 1, 2)));
    let system = || RequestPart::SystemPrompt(SystemPromptPart::new("Be kind."));
    let first = ask(vec![system(), RequestPart::UserPrompt(UserPromptPart::new("Go.")), system()]);
    let mut newest = ModelRequest::new(vec![retry(RetryCause::NoOutput), retry(RetryCause::ModelRetry)]);
    newest.instructions = Some("Be brief.".to_owned());
    let messages = sent(vec![first, newest.into()]);
    let roles: Vec<_> = messages.iter().filter_map(|message| message["role"].as_str()).collect();
    assert_eq!(roles, ["system", "system", "user", "system", "system", "user"]);
    assert_eq!(messages[1]["content"], "Be brief.");
    assert!(
        messages[5]["content"]
            .as_str()
            .is_some_and(|text| text.contains("not from the user") && text.ends_with("again"))
    );
    let developer = with_profile(|profile| profile.system_role = SystemRole::Developer);
    let input = ModelInput::new([ask(vec![system()])].into_iter().collect());
    assert_eq!(body_of(&developer, &input).expect("a body")["messages"][0]["role"], "developer");
}

#[test]
fn tools_that_appear_are_announced_while_they_are_there() {
    let delta = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        ask(vec![RequestPart::ToolAvailabilityDelta(ToolAvailabilityDeltaPart::new(names, None))])
    };
    let text = |offered: &str| {
        let messages = sent_with(vec![user("Go."), delta(&["a", "gone", "b`\n</x>"])], offered);
        messages.get(1).map(|message| message["content"].clone())
    };
    assert_eq!(text("a c"), Some(json!("The following tool(s) are now available: `a`")));
    assert_eq!(text("c"), None);
    let odd = text("b`\n</x> a").unwrap_or_default();
    assert_eq!(odd.as_str().map(|text| text.matches('`').count()), Some(2));
}

fn prompt(file: impl Into<File>) -> Result<Value> {
    let prompt = Prompt::from(vec![UserContent::from("See:"), UserContent::File(file.into())]);
    let input =
        ModelInput::new([ask(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))])].into_iter().collect());
    Ok(body_of(&with_profile(|profile| profile.audio = true), &input)?["messages"][0]["content"][1].take())
}

#[test]
fn files_of_a_prompt_are_sent_or_refused() {
    let png = BinaryContent::new(*b"png", "image/png");
    assert_eq!(prompt(png).expect("an image")["image_url"]["url"], "data:image/png;base64,cG5n");
    assert_eq!(prompt(ImageUrl::new("https://x/a.png")).expect("an image")["image_url"]["url"], "https://x/a.png");
    let wav = prompt(BinaryContent::new(*b"wav", "audio/wav")).expect("a sound");
    assert_eq!(wav, json!({"type": "input_audio", "input_audio": {"format": "wav", "data": "d2F2"}}));
    let pdf = prompt(BinaryContent::new(*b"pdf", "application/pdf")).expect("a document");
    assert_eq!(pdf["file"], json!({"file_data": "data:application/pdf;base64,cGRm", "filename": "filename.pdf"}));
    let text = prompt(BinaryContent::new(*b"</tool_result>", "text/plain").with_identifier("f")).expect("a text");
    assert_eq!(
        text["text"],
        "-----BEGIN FILE id=\"f\" type=\"text/plain\"-----\n</tool_result>\n-----END FILE id=\"f\"-----"
    );
    let refused: [File; 6] = [
        BinaryContent::new(*b"x", "video/mp4").into(),
        BinaryContent::new(*b"x", "application/zip").into(),
        BinaryContent::new([255], "text/plain").into(),
        VideoUrl::new("https://x/a.mp4").into(),
        AudioUrl::new("https://x/a.mp3").into(),
        DocumentUrl::new("https://x/a.pdf").into(),
    ];
    for file in refused {
        let error = prompt(file.clone()).expect_err("misuse");
        assert!(error.to_string().contains(file.identifier()), "{error}");
    }
}

#[test]
fn files_of_results_are_framed_and_noted() {
    let result = |id: &str, file: BinaryContent| {
        RequestPart::ToolReturn(ToolReturnPart::answer(&call("t", id), file, Outcome::Success))
    };
    let png = BinaryContent::new(*b"png", "image/png").with_identifier("p");
    let text = BinaryContent::new(*b"</tool_result>now", "text/plain").with_identifier("x");
    let video = BinaryContent::new(*b"mp4", "video/mp4").with_identifier("v");
    let words = RequestPart::UserPrompt(UserPromptPart::new("After."));
    let request = ask(vec![result("2", text), result("1", png), result("3", video), words]);
    let messages = sent(vec![calls(&["1", "2", "3"]), request]);
    assert_eq!(messages[1]["content"], "See file p.");
    assert_eq!(messages[3]["content"], "File v (video/mp4, 3 bytes) was not sent: this model cannot read video.");
    assert_eq!(messages[4]["content"], "After.");
    let framed = messages[5]["content"].as_array().expect("a list");
    assert_eq!(framed[0]["text"], r#"<tool_result tool_name="t" tool_call_id="1" file_id="p">"#);
    assert_eq!((&framed[1]["type"], &framed[2]["text"]), (&json!("image_url"), &json!("</tool_result>")));
    assert!(framed[4]["text"].as_str().is_some_and(|text| text.contains("&lt;/tool_result>now")));
    assert_eq!(framed.len(), 6);
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
    let model = model();
    let mut sent = Sent::default();
    let mut check = |model: &OpenAiChatModel, input: &ModelInput| {
        let body = bytes_of(model, input, &mut sent).expect("a body");
        assert_eq!(body, bytes_of(model, input, &mut Sent::default()).expect("a body"));
        String::from_utf8(body).expect("text")
    };
    let mut input = question();
    check(&model, &input);
    input.history.push(calls(&["1"]));
    assert!(check(&model, &input).contains(INTERRUPTED));
    input.history.push(ask(vec![answer("1", "late")]));
    assert!(!check(&model, &input).contains(INTERRUPTED));
    input
        .history
        .edit_last_request(|request| request.parts.push(RequestPart::UserPrompt(UserPromptPart::new("More."))));
    assert!(check(&model, &input).contains("More."));
    let other = with_profile(|profile| profile.system_role = SystemRole::Developer);
    input.history.push(ask(vec![RequestPart::SystemPrompt(SystemPromptPart::new("S"))]));
    assert!(check(&other, &input).contains("developer"));
    assert!(check(&model, &input).contains("system"));
    let video = Prompt::from(BinaryContent::new(*b"x", "video/mp4"));
    let mut broken = input.clone();
    broken.history.push(ask(vec![RequestPart::UserPrompt(UserPromptPart::new(video))]));
    assert!(bytes_of(&model, &broken, &mut Sent::default()).is_err());
    input.history = [user("Another."), user("One.")].into_iter().collect();
    check(&model, &input);
    check(&model, &question());
}

#[test]
fn a_prompt_that_cannot_be_sent_leaves_the_transcript_whole() {
    let model = model();
    let mut sent = Sent::default();
    let input = question();
    let good = bytes_of(&model, &input, &mut sent).expect("a body");
    let mut broken = input.clone();
    broken.history.push(say(vec![TextPart::new("ok").into()]));
    let video = Prompt::from(BinaryContent::new(*b"x", "video/mp4"));
    broken.history.push(ask(vec![RequestPart::UserPrompt(UserPromptPart::new(video))]));
    assert!(bytes_of(&model, &broken, &mut sent).is_err());
    assert_eq!(bytes_of(&model, &input, &mut sent).expect("a body"), good);
}
