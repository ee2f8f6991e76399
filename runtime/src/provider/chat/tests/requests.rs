//! What stands around the messages.

use super::*;
use crate::error::ErrorKind;
use crate::model::{Thinking, ToolChoice};

#[test]
fn a_plain_question_is_a_small_body() {
    let body = body_of(&model(), &question()).expect("a body");
    assert_eq!(body, json!({"model": "gpt-5.2", "messages": [{"role": "user", "content": "Go."}]}));
}

#[test]
fn every_setting_has_its_key() {
    let settings = ModelSettings::new()
        .max_tokens(9)
        .temperature(0.2)
        .top_p(0.9)
        .presence_penalty(1.0)
        .frequency_penalty(-1.0)
        .stop_sequences(vec!["END".to_owned()])
        .seed(7)
        .parallel_tool_calls(false);
    let input = question().settings(settings.clone()).function_tools(tools("a"));
    let mut body = body_of(&model(), &input).expect("a body");
    let tools = body.as_object_mut().and_then(|body| body.remove("tools")).expect("tools");
    assert_eq!(
        tools,
        json!([{"type": "function", "function": {
            "name": "a", "description": "", "parameters": {"type": "object", "properties": {}, "additionalProperties": false},
        }}])
    );
    assert_eq!(
        body,
        json!({
            "model": "gpt-5.2", "messages": [{"role": "user", "content": "Go."}], "max_completion_tokens": 9,
            "temperature": 0.2, "top_p": 0.9, "presence_penalty": 1.0, "frequency_penalty": -1.0, "stop": ["END"],
            "seed": 7, "parallel_tool_calls": false, "tool_choice": "auto",
        })
    );
    let older = body_of(&with_profile(|profile| profile.max_completion_tokens = false), &question().settings(settings));
    let older = older.expect("a body");
    assert_eq!((&older["max_tokens"], older.get("parallel_tool_calls")), (&json!(9), None));
}

#[test]
fn models_that_reason_take_no_temperature() {
    let settings = ModelSettings::new().temperature(0.2).thinking(Thinking::Low);
    let body = body_of(&model(), &question().settings(settings)).expect("a body");
    assert_eq!((body.get("temperature"), &body["reasoning_effort"]), (None, &json!("low")));
    let body = body_of(&model(), &question().settings(ModelSettings::new().thinking(Thinking::Off))).expect("a body");
    assert_eq!(body["reasoning_effort"], "none");
}

#[test]
fn extra_keys_stand_over_ours() {
    let Value::Object(extra) = json!({"seed": 1, "user": "me", "messages": []}) else { unreachable!("an object") };
    let body = body_of(&model(), &question().settings(ModelSettings::new().seed(7).extra_body(extra))).expect("a body");
    assert_eq!(body, json!({"model": "gpt-5.2", "seed": 1, "user": "me", "messages": []}));
    let twice = bytes_of(&model(), &question(), &mut Sent::default()).expect("a body");
    assert_eq!(String::from_utf8_lossy(&twice).matches("\"messages\"").count(), 1);
}

fn choosing(model: &OpenAiChatModel, choice: ToolChoice) -> Result<(Value, Vec<String>)> {
    let input = question().function_tools(tools("a b c")).settings(ModelSettings::new().tool_choice(choice));
    let body = body_of(model, &input)?;
    let names = body["tools"].as_array().into_iter().flatten();
    let names = names.filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned)).collect();
    Ok((body["tool_choice"].clone(), names))
}

#[test]
fn a_choice_leaves_the_tools_alone_where_it_can() {
    let function = |name: &str| json!({"type": "function", "function": {"name": name}});
    let allowed = |mode: &str, names: [&str; 2]| json!({"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": names.map(function)}});
    for (choice, expected) in [
        (ToolChoice::Auto, json!("auto")),
        (ToolChoice::None, json!("none")),
        (ToolChoice::Required, json!("required")),
        (ToolChoice::tools(["b"]), function("b")),
        (ToolChoice::tools(["c", "a"]), allowed("required", ["a", "c"])),
        (ToolChoice::tool_or_output(["a", "b"]), allowed("auto", ["a", "b"])),
    ] {
        let (choice, names) = choosing(&model(), choice).expect("a body");
        assert_eq!((choice, names.join(" ")), (expected, "a b c".to_owned()));
    }
}

#[test]
fn servers_without_lists_are_sent_fewer_tools() {
    let plain = with_profile(|profile| profile.allowed_tools = false);
    let (choice, names) = choosing(&plain, ToolChoice::tools(["c", "a"])).expect("a body");
    assert_eq!((choice, names.join(" ")), (json!("required"), "a c".to_owned()));
    let (choice, names) = choosing(&plain, ToolChoice::tool_or_output(["a"])).expect("a body");
    assert_eq!((choice, names.join(" ")), (json!("auto"), "a".to_owned()));
    let (choice, names) = choosing(&plain, ToolChoice::tools(["b"])).expect("a body");
    assert_eq!((choice["function"]["name"].clone(), names.len()), (json!("b"), 3));
}

#[test]
fn models_that_cannot_be_forced_are_asked_or_refused() {
    let free = with_profile(|profile| profile.forced_tool_choice = false);
    for forced in [ToolChoice::Required, ToolChoice::tools(["a"])] {
        assert_eq!(choosing(&free, forced).expect_err("misuse").kind(), ErrorKind::Misuse);
    }
    let mut input = question();
    input.output_tools = tools("final_result").into();
    input.allow_text = false;
    assert_eq!(body_of(&free, &input).expect("a body")["tool_choice"], "auto");
    assert_eq!(body_of(&model(), &input).expect("a body")["tool_choice"], "required");
}

#[test]
fn strictness_is_for_servers_that_know_it() {
    let schema = json!({"type": "object", "properties": {"x": {"type": "string", "minLength": 1}}, "required": ["x"]});
    let tool = ToolDefinition::new("t").with_parameters(schema);
    let input = question().function_tools([tool.clone(), tool.with_name("u").with_strict(true)]);
    let strict = |model: &OpenAiChatModel| {
        let body = body_of(model, &input).expect("a body");
        [&body["tools"][0], &body["tools"][1]].map(|tool| tool["function"]["strict"].as_bool())
    };
    assert_eq!(strict(&model()), [Some(true); 2]);
    assert_eq!(strict(&with_profile(|profile| profile.strict_lengths = false)), [None, Some(true)]);
    assert_eq!(strict(&with_profile(|profile| profile.strict_tools = false)), [None; 2]);
    assert_eq!(strict(&model()), [Some(true); 2]);
}

#[test]
fn what_is_wrong_with_a_model_is_said_at_once() {
    let build = |url: &str| OpenAiChatModel::builder("m").api_key("sk-secret").base_url(url).build();
    for url in ["", "nowhere", "ftp://example.com/v1", "data:text/plain,x"] {
        let error = build(url).expect_err("misuse");
        assert_eq!(error.kind(), ErrorKind::Misuse);
        assert!(error.to_string().contains("OPENAI_BASE_URL"), "{error}");
    }
    let model = build("http://user:pass@localhost:1/v1/?q=hidden").expect("a model");
    assert_eq!(model.0.api.endpoint.path(), "/v1/chat/completions");
    assert_eq!(format!("{model:?}"), r#"OpenAiChatModel { name: "m", url: "http://localhost:1/v1/", .. }"#);
    assert!(!format!("{:?}", OpenAiChatModel::builder("m").api_key("sk-secret")).contains("secret"));
    if std::env::var_os("OPENAI_API_KEY").is_none() {
        let error = OpenAiChatModel::new("m").expect_err("misuse");
        assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("OPENAI_API_KEY"), "{error}");
    }
}
