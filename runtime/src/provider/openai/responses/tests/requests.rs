//! What stands around the conversation.

use super::*;
use crate::error::ErrorKind;
use crate::model::{Thinking, ToolChoice};

#[test]
fn a_plain_question_is_a_small_body() {
    let input = json!([{"role": "user", "content": "Go."}]);
    let body = body_of(&named("gpt-4o"), &question()).expect("a body");
    assert_eq!(body, json!({"model": "gpt-4o", "input": input}));
    let body = body_of(&model(), &question()).expect("a body");
    assert_eq!(body, json!({"model": "gpt-5.4", "include": ["reasoning.encrypted_content"], "input": input}));
}

#[test]
fn the_api_always_gets_some_input() {
    let mut input = ModelInput::new(crate::message::History::default());
    input.instructions = Some("Be brief.".to_owned());
    let body = body_of(&named("gpt-4o"), &input).expect("a body");
    let nothing = json!([{"role": "user", "content": ""}]);
    assert_eq!(body, json!({"model": "gpt-4o", "instructions": "Be brief.", "input": nothing}));
    input.instructions = Some(String::new());
    assert_eq!(body_of(&named("gpt-4o"), &input).expect("a body").get("instructions"), None);
}

#[test]
fn every_setting_has_its_key_or_is_reported() {
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
    let mut body = body_of(&named("gpt-4o"), &input).expect("a body");
    let tools = body.as_object_mut().and_then(|body| body.remove("tools")).expect("tools");
    let parameters = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(tools, json!([{"type": "function", "name": "a", "parameters": parameters, "strict": false}]));
    assert_eq!(
        body,
        json!({
            "model": "gpt-4o", "input": [{"role": "user", "content": "Go."}], "max_output_tokens": 9, "temperature": 0.2,
            "top_p": 0.9, "parallel_tool_calls": false, "tool_choice": "auto",
        })
    );
    let model = named("gpt-4o");
    let input = question().settings(settings);
    let encoded =
        request::body(&Asked::whole("gpt-4o", &input), &model.0.api.form, &mut Sent::default()).expect("a body");
    for setting in ["`stop_sequences`", "`seed`", "`presence_penalty`", "`frequency_penalty`"] {
        assert_eq!(encoded.notes.iter().filter(|note| note.contains(setting)).count(), 1, "{:?}", encoded.notes);
    }
}

#[test]
fn models_that_reason_take_no_temperature() {
    let asked = |settings| body_of(&model(), &question().settings(settings)).expect("a body");
    let body = asked(ModelSettings::new().temperature(0.2).thinking(Thinking::Low));
    assert_eq!((body.get("temperature"), &body["reasoning"]), (None, &json!({"effort": "low"})));
    let body = asked(ModelSettings::new().temperature(0.2).thinking(Thinking::Off));
    assert_eq!((&body["temperature"], &body["reasoning"]), (&json!(0.2), &json!({"effort": "none"})));
    assert_eq!(asked(ModelSettings::new()).get("reasoning"), None);
}

#[test]
fn extra_keys_stand_over_ours() {
    let Value::Object(extra) = json!({"max_output_tokens": 1, "store": false, "input": "Hi."}) else {
        unreachable!("an object")
    };
    let input = question().settings(ModelSettings::new().max_tokens(7).extra_body(extra));
    let body = body_of(&named("gpt-4o"), &input).expect("a body");
    assert_eq!(body, json!({"model": "gpt-4o", "max_output_tokens": 1, "store": false, "input": "Hi."}));
}

fn choosing(model: &OpenAiResponsesModel, choice: ToolChoice) -> Result<(Value, Vec<String>)> {
    let input = question().function_tools(tools("a b c")).settings(ModelSettings::new().tool_choice(choice));
    let body = body_of(model, &input)?;
    let names = body["tools"].as_array().into_iter().flatten();
    let names = names.filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
    Ok((body["tool_choice"].clone(), names))
}

#[test]
fn a_choice_leaves_the_tools_alone_where_it_can() {
    let function = |name: &str| json!({"type": "function", "name": name});
    let allowed =
        |mode: &str, names: [&str; 2]| json!({"type": "allowed_tools", "mode": mode, "tools": names.map(function)});
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
    let plain = with_profile(|profile| profile.allowed_tools = false);
    let (choice, names) = choosing(&plain, ToolChoice::tools(["c", "a"])).expect("a body");
    assert_eq!((choice, names.join(" ")), (json!("required"), "a c".to_owned()));
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
fn strictness_is_always_said() {
    let schema = json!({"type": "object", "properties": {"x": {"type": "string", "minLength": 1}}, "required": ["x"]});
    let tool = ToolDefinition::new("t").with_parameters(schema);
    let input = question().function_tools([
        tool.clone(),
        tool.clone().with_name("u").with_strict(true),
        tool.with_name("v").with_strict(false),
    ]);
    let strict = |model: &OpenAiResponsesModel| {
        let body = body_of(model, &input).expect("a body");
        [0, 1, 2].map(|index| body["tools"][index]["strict"].as_bool())
    };
    assert_eq!(strict(&model()), [Some(true), Some(true), Some(false)]);
    assert_eq!(strict(&with_profile(|profile| profile.strict_lengths = false)), [Some(false), Some(true), Some(false)]);
    assert_eq!(strict(&with_profile(|profile| profile.strict_tools = false)), [Some(false); 3]);
    assert_eq!(strict(&model()), [Some(true), Some(true), Some(false)]);
}

#[test]
fn strictness_that_cannot_be_had_is_reported() {
    let map = json!({"type": "object", "properties": {}, "additionalProperties": {"type": "integer"}});
    let input = question().function_tools([ToolDefinition::new("t").with_parameters(map).with_strict(true)]);
    let model = model();
    let encoded =
        request::body(&Asked::whole("gpt-5.4", &input), &model.0.api.form, &mut Sent::default()).expect("a body");
    assert!(encoded.notes.len() == 1 && encoded.notes[0].contains("`t`"), "{:?}", encoded.notes);
}

#[test]
fn names_tell_what_models_can_do() {
    let encrypted = |name: &str| OpenAiResponsesProfile::of(name).encrypted_reasoning;
    assert!(encrypted("gpt-5.2") && encrypted("o3") && encrypted("gpt-6.1-sol"));
    assert!(!encrypted("gpt-4o") && !encrypted("gpt-5-chat-latest") && !encrypted("llama"));
    let phases = |name: &str| OpenAiResponsesProfile::of(name).phases;
    assert!(phases("gpt-5.4-mini") && phases("gpt-5.3-codex") && phases("gpt-6-luna"));
    assert!(!phases("gpt-5.2") && !phases("gpt-5.3") && !phases("o4-mini"));
    assert!(!OpenAiResponsesProfile::of("ft:gpt-4o").strict_lengths);
}

#[test]
fn what_is_wrong_with_a_model_is_said_at_once() {
    let build = |url: &str| OpenAiResponsesModel::builder("m").api_key("sk-secret").base_url(url).build();
    for url in ["", "nowhere", "ftp://example.com/v1", "data:text/plain,x"] {
        let error = build(url).expect_err("misuse");
        assert_eq!(error.kind(), ErrorKind::Misuse);
        assert!(error.to_string().contains("OPENAI_BASE_URL"), "{error}");
    }
    let model = build("http://user:pass@localhost:1/v1/?q=hidden").expect("a model");
    assert_eq!(model.0.api.endpoint.path(), "/v1/responses");
    assert_eq!(format!("{model:?}"), r#"OpenAiResponsesModel { name: "m", url: "http://localhost:1/v1/", .. }"#);
    assert!(!format!("{:?}", OpenAiResponsesModel::builder("m").api_key("sk-secret")).contains("secret"));
    if std::env::var_os("OPENAI_API_KEY").is_none() {
        let error = OpenAiResponsesModel::new("m").expect_err("misuse");
        let text = error.to_string();
        assert!(text.contains("OPENAI_API_KEY") && text.contains(".api_key("), "{text}");
    }
}
