//! What stands around the messages.

use super::*;
use crate::error::ErrorKind;
use crate::message::{CachePoint, Outcome, Prompt, ToolContent, ToolReturnPart, UserContent};
use crate::model::{Thinking, ToolChoice};
use crate::output::OutputSpec;

fn with(settings: ModelSettings) -> ModelInput {
    question().settings(settings)
}

/// What of a body is not its messages or its system prompt.
fn around(model: &str, input: &ModelInput) -> Value {
    let mut body = body_of(&named(model), input).expect("a body");
    let body = body.as_object_mut().expect("an object");
    body.remove("messages");
    body.remove("system");
    body.clone().into()
}

#[test]
fn a_plain_question_is_a_small_body() {
    let body = body_of(&named(NOVA), &question()).expect("a body");
    let messages = json!([{"role": "user", "content": [{"text": "Go."}]}]);
    assert_eq!(body, json!({"system": [], "inferenceConfig": {}, "messages": messages}));
    assert_eq!(around(CLAUDE, &question()), json!({"inferenceConfig": {"maxTokens": 64000}}));
    let older = around("anthropic.claude-3-7-sonnet-20250219-v1:0", &question());
    assert_eq!(older, json!({"inferenceConfig": {}}));
}

#[test]
fn every_setting_has_its_key_or_a_note() {
    let settings = ModelSettings::new()
        .max_tokens(9)
        .temperature(0.5)
        .top_p(0.25)
        .stop_sequences(vec!["END".to_owned()])
        .seed(1)
        .presence_penalty(0.5)
        .frequency_penalty(0.5)
        .parallel_tool_calls(false);
    let config =
        json!({"inferenceConfig": {"maxTokens": 9, "temperature": 0.5, "topP": 0.25, "stopSequences": ["END"]}});
    for model in [CLAUDE, NOVA, LLAMA] {
        assert_eq!(around(model, &with(settings.clone())), config);
    }
    let notes = notes_of(&named(NOVA), &with(settings.clone().thinking(Thinking::Low)));
    for name in ["seed", "presence_penalty", "frequency_penalty", "parallel_tool_calls", "thinking"] {
        assert!(notes.iter().any(|note| note.contains(&format!("`{name}`"))), "{name}: {notes:?}");
    }
    assert_eq!(notes.len(), 5);
    let grok = named("global.xai.grok-4.7");
    assert!(body_of(&grok, &with(settings.clone())).expect("a body")["inferenceConfig"].get("topP").is_none());
    assert!(notes_of(&grok, &with(settings)).iter().any(|note| note.contains("`top_p`")));
    let too_many = ModelSettings::new().max_tokens(1_000_000);
    assert_eq!(around(CLAUDE, &with(too_many.clone()))["inferenceConfig"]["maxTokens"], 64000);
    assert!(notes_of(&named(CLAUDE), &with(too_many))[0].contains("64000"));
}

#[test]
fn every_maker_is_asked_to_think_in_its_own_words() {
    let fields = |model: &str, thinking| {
        around(model, &with(ModelSettings::new().thinking(thinking)))["additionalModelRequestFields"].take()
    };
    let budget = json!({"thinking": {"type": "enabled", "budget_tokens": 2048}});
    assert_eq!(fields(CLAUDE, Thinking::Low), budget);
    let adaptive = json!({"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}});
    assert_eq!(fields("global.anthropic.claude-opus-4-8", Thinking::High), adaptive);
    assert_eq!(fields("openai.gpt-oss-20b-1:0", Thinking::High), json!({"reasoning_effort": "high"}));
    assert_eq!(fields(NOVA, Thinking::High), json!(null));
    // An answer has room beyond its thoughts.
    let older = with(ModelSettings::new().thinking(Thinking::High));
    assert_eq!(around("anthropic.claude-3-7-sonnet-20250219-v1:0", &older)["inferenceConfig"]["maxTokens"], 20480);
}

#[test]
fn extra_keys_stand_over_ours_in_what_the_model_is_handed_too() {
    let Value::Object(extra) = json!({
        "guardrailConfig": {"guardrailIdentifier": "g"}, "inferenceConfig": {"maxTokens": 1},
        "additionalModelRequestFields": {"top_k": 5, "thinking": {"type": "disabled"}},
    }) else {
        unreachable!("an object")
    };
    let body = around(CLAUDE, &with(ModelSettings::new().thinking(Thinking::Low).extra_body(extra.clone())));
    assert_eq!(body, Value::Object(extra));
}

fn choosing(model: &str, choice: ToolChoice) -> Result<(Value, String)> {
    let input = question().function_tools(tools("a b c")).settings(ModelSettings::new().tool_choice(choice));
    let body = body_of(&named(model), &input)?;
    let names = body["toolConfig"]["tools"].as_array().into_iter().flatten();
    let names: Vec<_> = names.filter_map(|tool| tool["toolSpec"]["name"].as_str()).collect();
    Ok((body["toolConfig"]["toolChoice"].clone(), names.join(" ")))
}

#[test]
fn a_choice_leaves_the_tools_alone_where_it_can() {
    for (choice, expected, names) in [
        (ToolChoice::Auto, json!({"auto": {}}), "a b c"),
        (ToolChoice::Required, json!({"any": {}}), "a b c"),
        (ToolChoice::tools(["b"]), json!({"tool": {"name": "b"}}), "a b c"),
        (ToolChoice::tools(["c", "a"]), json!({"any": {}}), "a c"),
        (ToolChoice::tool_or_output(["a"]), json!({"auto": {}}), "a"),
        (ToolChoice::None, json!(null), ""),
    ] {
        assert_eq!(choosing(NOVA, choice).expect("a body"), (expected, names.to_owned()));
    }
    assert_eq!(choosing(LLAMA, ToolChoice::Auto).expect("a body"), (json!(null), "a b c".to_owned()));
}

#[test]
fn models_that_cannot_be_forced_are_asked_or_refused() {
    for model in [LLAMA, "global.anthropic.claude-opus-5-5"] {
        for forced in [ToolChoice::Required, ToolChoice::tools(["a"])] {
            assert_eq!(choosing(model, forced).expect_err("misuse").kind(), ErrorKind::Misuse);
        }
    }
    let thinking = |model: &str| {
        let settings = ModelSettings::new().thinking(Thinking::High).tool_choice(ToolChoice::Required);
        body_of(&named(model), &with(settings).function_tools(tools("a")))
    };
    for model in [CLAUDE, "zai.glm-4.7"] {
        assert!(thinking(model).expect_err("misuse").to_string().contains("thinking off"));
    }
    assert!(thinking("global.xai.grok-4.7").is_ok());
    let mut input = question();
    input.output_tools = tools("final_result").into();
    input.allow_text = false;
    let choice = |model: &str, input: &ModelInput| {
        body_of(&named(model), input).expect("a body")["toolConfig"]["toolChoice"].take()
    };
    assert_eq!(choice(CLAUDE, &input), json!({"any": {}}));
    assert_eq!(choice(LLAMA, &input), json!(null));
    assert_eq!(choice(CLAUDE, &input.settings(ModelSettings::new().thinking(Thinking::Low))), json!({"auto": {}}));
}

#[test]
fn no_tools_may_be_called_after_calls_either() {
    let answer = ToolReturnPart::answer(&call("a", "1"), ToolContent::text("ok"), Outcome::Success);
    let history = [user("Go."), say(vec![call("a", "1").into()]), ask(vec![RequestPart::ToolReturn(answer)])];
    let settings = ModelSettings::new().tool_choice(ToolChoice::None);
    let input = ModelInput::new(history.into_iter().collect()).function_tools(tools("a b")).settings(settings.clone());
    let claude = around(CLAUDE, &input);
    assert_eq!(claude["toolConfig"]["tools"].as_array().map(Vec::len), Some(2));
    assert_eq!(claude["toolConfig"].get("toolChoice"), None);
    assert_eq!(claude["additionalModelRequestFields"], json!({"tool_choice": {"type": "none"}}));
    let nova = around(NOVA, &input);
    assert_eq!((nova.get("additionalModelRequestFields"), nova["toolConfig"].get("toolChoice")), (None, None));
    assert!(nova["toolConfig"]["tools"].is_array());
    assert!(notes_of(&named(NOVA), &input)[0].contains("cannot be kept from calling"));
    let fresh = question().function_tools(tools("a b")).settings(settings);
    assert!(around(CLAUDE, &fresh).get("toolConfig").is_none() && notes_of(&named(NOVA), &fresh).is_empty());
}

#[test]
fn tools_are_strict_for_models_that_know_it() {
    let schema = json!({"title": "T", "type": "object", "properties": {"x": {"$ref": "#/$defs/X"}}, "$defs": {"X": {"type": "integer", "maximum": 3}}});
    let strict = ToolDefinition::new("t").with_parameters(schema.clone()).with_strict(true);
    let spec = |model: &str| {
        let input = question().function_tools([strict.clone()]);
        (around(model, &input)["toolConfig"]["tools"][0]["toolSpec"].take(), notes_of(&named(model), &input))
    };
    let (claude, notes) = spec(CLAUDE);
    assert_eq!((&claude["strict"], notes.len()), (&json!(true), 0));
    let expected = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/X"}},
        "$defs": {"X": {"type": "integer", "description": "maximum=3"}}, "additionalProperties": false});
    assert_eq!(claude["inputSchema"]["json"], expected);
    let (nova, notes) = spec(NOVA);
    assert!(nova.get("strict").is_none() && notes[0].contains("`t` is not sent as strict"));
    assert_eq!(nova["inputSchema"]["json"]["properties"]["x"], json!({"type": "integer", "maximum": 3}));
    assert_eq!(nova.get("description"), None);
}

fn formatted<O: Send + 'static>(spec: OutputSpec<O>) -> Result<Value> {
    let mut input = question();
    input.output_format = spec.finish()?.object.map(|object| object.format);
    body_of(&named(CLAUDE), &input)
}

#[test]
fn text_is_held_to_a_schema() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Fruit {
        #[expect(dead_code, reason = "only its schema matters")]
        #[schemars(length(min = 1))]
        name: String,
    }
    let body = formatted(OutputSpec::<Fruit>::of().native()).expect("a body");
    let held = &body["outputConfig"]["textFormat"];
    assert_eq!(held["type"], "json_schema");
    let schema = held["structure"]["jsonSchema"]["schema"].as_str().expect("a text");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    assert_eq!(schema["properties"]["name"], json!({"type": "string", "minLength": 1}));
    assert_eq!(schema["additionalProperties"], false);
    let map = OutputSpec::<std::collections::BTreeMap<String, u8>>::of().native();
    let error = formatted(map).expect_err("an open map");
    assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("prompted"), "{error}");
    assert_eq!(formatted(OutputSpec::<Fruit>::of().prompted()).expect("a body").get("outputConfig"), None);
    assert!(named(CLAUDE).has_native_output() && !named(NOVA).has_native_output());
}

#[test]
fn what_is_cached_is_what_the_model_remembers() {
    let builder = |name: &str| {
        let builder = BedrockModel::builder(name).api_key("k").base_url("http://localhost:1");
        let builder = builder.cache_tools(CacheTtl::Hour).cache_instructions(CacheTtl::Hour);
        builder.cache_history(CacheTtl::FiveMinutes).build().expect("a model")
    };
    let mut input = question().function_tools(tools("a"));
    input.instructions = Some("Be brief.".to_owned());
    let places = |model: &BedrockModel| {
        let body = body_of(model, &input).expect("a body");
        [&body["toolConfig"]["tools"], &body["system"], &body["messages"][0]["content"]]
            .map(|list| list[1]["cachePoint"]["ttl"].as_str().map(str::to_owned))
    };
    let hour = || Some("1h".to_owned());
    let minutes = || Some("5m".to_owned());
    assert_eq!(places(&builder(CLAUDE)), [hour(), hour(), minutes()]);
    assert_eq!(places(&builder(NOVA)), [None, minutes(), minutes()]);
    assert!(notes_of(&builder(NOVA), &input).iter().any(|note| note.contains("five minutes")));
    assert_eq!(places(&builder(LLAMA)), [None, None, None]);
    assert!(notes_of(&builder(LLAMA), &input).iter().any(|note| note.contains("does not remember")));
    let point = UserContent::CachePoint(CachePoint { ttl: CacheTtl::Hour, ..CachePoint::default() });
    let prompt = Prompt::from(vec![UserContent::from("a"), point]);
    let asked =
        ModelInput::new([ask(vec![RequestPart::UserPrompt(UserPromptPart::new(prompt))])].into_iter().collect());
    assert!(
        notes_of(&named(LLAMA), &asked)[0].contains("nothing is cached") && notes_of(&named(CLAUDE), &asked).is_empty()
    );
}

#[test]
fn ids_of_models_are_one_segment_of_the_path() {
    let arn = "arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-opus-4-8";
    let model = BedrockModel::builder(arn).api_key("k").base_url("http://localhost:1/base/").build().expect("a model");
    let path = "/base/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A123456789012%3Ainference-profile%2Feu.anthropic.claude-opus-4-8/converse-stream";
    assert_eq!((model.0.api.endpoint(true).path(), model.name()), (path, arn));
    assert!(model.profile().claude.is_some());
    let odd =
        BedrockModel::builder("a/../b?c#d é").api_key("k").base_url("http://localhost:1").build().expect("a model");
    assert_eq!(odd.0.api.endpoint(false).path(), "/model/a%2F..%2Fb%3Fc%23d%20%C3%A9/converse");
    for none in ["", ".", ".."] {
        let built = BedrockModel::builder(none).api_key("k").base_url("http://localhost:1").build();
        assert_eq!(built.expect_err("misuse").kind(), ErrorKind::Misuse, "{none}");
    }
}

#[test]
fn what_is_wrong_with_a_model_is_said_at_once() {
    let build = |url: &str| BedrockModel::builder(NOVA).api_key("sk-secret").base_url(url).build();
    for url in ["", "nowhere", "ftp://example.com", "data:text/plain,x"] {
        let error = build(url).expect_err("misuse");
        assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("AWS_ENDPOINT_URL"), "{error}");
    }
    let model = BedrockModel::builder(NOVA).region("eu-north-1").api_key("sk-secret").build().expect("a model");
    let expected =
        format!(r#"BedrockModel {{ name: "{NOVA}", url: "https://bedrock-runtime.eu-north-1.amazonaws.com/", .. }}"#);
    assert_eq!(format!("{model:?}"), expected);
    let builder = BedrockModel::builder(NOVA).api_key("sk-secret").credentials("AKID", "very-secret", Some("token"));
    assert!(!format!("{builder:?}").contains("secret"));
    let odd = BedrockModel::builder(NOVA).region("nowhere/else").api_key("k").build().expect_err("misuse");
    assert!(odd.to_string().contains("nowhere/else"), "{odd}");
}
