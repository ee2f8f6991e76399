//! What stands around the messages.

use super::*;
use crate::OutputSpec;
use crate::error::ErrorKind;
use crate::message::SystemPromptPart;
use crate::model::{Thinking, ToolChoice};

#[test]
fn a_plain_question_is_a_small_body() {
    let messages = json!([{"role": "user", "content": [{"type": "text", "text": "Go."}]}]);
    let body = body_of(&model(), &question()).expect("a body");
    assert_eq!(body, json!({"model": "claude-sonnet-4-5", "max_tokens": 64_000, "messages": messages}));
}

#[test]
fn every_setting_has_its_key() {
    let settings = ModelSettings::new()
        .max_tokens(9)
        .temperature(0.2)
        .top_p(0.9)
        .stop_sequences(vec!["END".to_owned()])
        .seed(7)
        .presence_penalty(1.0)
        .parallel_tool_calls(false);
    let mut body = body_of(&model(), &question().settings(settings).function_tools(tools("a"))).expect("a body");
    body.as_object_mut().and_then(|body| body.remove("messages")).expect("messages");
    let schema = json!({"type": "object", "properties": {}});
    assert_eq!(
        body,
        json!({
            "model": "claude-sonnet-4-5", "max_tokens": 9, "temperature": 0.2, "top_p": 0.9, "stop_sequences": ["END"],
            "tool_choice": {"type": "auto", "disable_parallel_tool_use": true},
            "tools": [{"name": "a", "description": "", "input_schema": schema}],
        })
    );
}

fn noted(model: &AnthropicModel, settings: ModelSettings) -> (Value, String) {
    let input = question().settings(settings);
    let asked = Asked::whole(model.name(), &input);
    let encoded = request::body(&asked, &model.0.api.target, &mut Sent::default()).expect("a body");
    (serde_json::from_slice(&encoded.body).expect("JSON"), encoded.notes.join("\n"))
}

#[test]
fn what_a_model_does_not_take_is_left_out_and_noted() {
    let settings = || ModelSettings::new().temperature(0.2).top_p(0.9);
    let (body, notes) = noted(&named("claude-opus-5-5"), settings());
    assert_eq!((body.get("temperature"), body.get("top_p")), (None, None));
    assert!(notes.contains("`temperature`") && notes.contains("`top_p`"), "{notes}");
    let (body, notes) = noted(&model(), settings().thinking(Thinking::Low));
    assert_eq!(body.get("temperature"), None, "{notes}");
    assert_eq!(noted(&model(), settings()).1, "");
    let (body, notes) = noted(&model(), ModelSettings::new().max_tokens(1_000_000));
    assert_eq!(body["max_tokens"], 64_000);
    assert!(notes.contains("64000"), "{notes}");
    let (body, notes) = noted(&named("kimi-k3"), ModelSettings::new().max_tokens(1_000_000));
    assert_eq!((&body["max_tokens"], notes), (&json!(1_000_000), String::new()));
}

#[test]
fn a_model_thinks_as_it_is_asked_to() {
    let body = |model: &str, thinking| {
        body_of(&named(model), &question().settings(ModelSettings::new().thinking(thinking))).expect("a body")
    };
    let adaptive = body("claude-opus-4-6", Thinking::High);
    assert_eq!(adaptive["thinking"], json!({"type": "adaptive"}));
    assert_eq!(adaptive["output_config"], json!({"effort": "high"}));
    let budget = body("claude-3-7-sonnet-latest", Thinking::High);
    assert_eq!(budget["thinking"], json!({"type": "enabled", "budget_tokens": 16_384}));
    assert_eq!((&budget["max_tokens"], budget.get("output_config")), (&json!(20_480), None));
}

#[test]
fn extra_keys_stand_over_ours() {
    let Value::Object(extra) = json!({"max_tokens": 1, "metadata": {"user_id": "me"}, "messages": []}) else {
        unreachable!("an object")
    };
    let body = body_of(&model(), &question().settings(ModelSettings::new().extra_body(extra))).expect("a body");
    let expected =
        json!({"model": "claude-sonnet-4-5", "max_tokens": 1, "metadata": {"user_id": "me"}, "messages": []});
    assert_eq!(body, expected);
}

fn choosing(model: &AnthropicModel, settings: ModelSettings) -> Result<(Value, String)> {
    let body = body_of(model, &question().function_tools(tools("a b c")).settings(settings))?;
    let names: Vec<_> =
        body["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect();
    Ok((body["tool_choice"].clone(), names.join(" ")))
}

#[test]
fn a_choice_leaves_the_tools_alone_where_it_can() {
    for (choice, expected, tools) in [
        (ToolChoice::Auto, json!({"type": "auto"}), "a b c"),
        (ToolChoice::None, json!({"type": "none"}), "a b c"),
        (ToolChoice::Required, json!({"type": "any"}), "a b c"),
        (ToolChoice::tools(["b"]), json!({"type": "tool", "name": "b"}), "a b c"),
        (ToolChoice::tools(["c", "a"]), json!({"type": "any"}), "a c"),
        (ToolChoice::tool_or_output(["a"]), json!({"type": "auto"}), "a"),
    ] {
        let chosen = choosing(&model(), ModelSettings::new().tool_choice(choice)).expect("a body");
        assert_eq!(chosen, (expected, tools.to_owned()));
    }
    let none = ModelSettings::new().tool_choice(ToolChoice::None).parallel_tool_calls(false);
    assert_eq!(choosing(&model(), none).expect("a body").0, json!({"type": "none"}));
}

#[test]
fn what_is_demanded_is_refused_where_it_cannot_be_and_what_is_not_is_asked_for() {
    let thinking = |choice| ModelSettings::new().tool_choice(choice).thinking(Thinking::Low);
    let (budget, adaptive, never) =
        (named("claude-sonnet-4-5"), named("claude-sonnet-4-6"), named("claude-sonnet-5-5"));
    for model in [&budget, &never] {
        for choice in [ToolChoice::Required, ToolChoice::tools(["a", "b"])] {
            let error = choosing(model, thinking(choice)).expect_err("misuse");
            assert_eq!(error.kind(), ErrorKind::Misuse);
            assert!(error.to_string().contains(model.name()), "{error}");
        }
        let error = choosing(model, thinking(ToolChoice::tools(["a", "b"]))).expect_err("misuse");
        assert!(error.to_string().contains("`a`, `b`"), "{error}");
    }
    let demanded = choosing(&adaptive, thinking(ToolChoice::Required)).expect("a body").0;
    assert_eq!(demanded, json!({"type": "any"}));
    let mut input = question().settings(ModelSettings::new().thinking(Thinking::On));
    input.output_tools = tools("final_result").into();
    input.allow_text = false;
    for model in [&budget, &adaptive, &never] {
        assert_eq!(body_of(model, &input).expect("a body")["tool_choice"], json!({"type": "auto"}), "{model:?}");
    }
    input.settings = ModelSettings::new();
    assert_eq!(body_of(&adaptive, &input).expect("a body")["tool_choice"], json!({"type": "any"}));
    assert_eq!(body_of(&named("claude-opus-5"), &input).expect("a body")["tool_choice"], json!({"type": "auto"}));
}

#[test]
fn strictness_is_for_tools_that_ask_and_models_that_know_it() {
    let schema = json!({"type": "object", "properties": {"x": {"type": "string", "minLength": 1}}, "required": ["x"]});
    let tool = ToolDefinition::new("t").with_parameters(schema);
    let input = question().function_tools([tool.clone(), tool.with_name("u").with_strict(true)]);
    let strict = |model: &AnthropicModel| {
        let body = body_of(model, &input).expect("a body");
        [&body["tools"][0], &body["tools"][1]].map(|tool| tool["strict"].as_bool())
    };
    assert_eq!(strict(&model()), [None, Some(true)]);
    assert_eq!(strict(&named("claude-3-5-haiku-latest")), [None; 2]);
}

fn formatted<O: Send + 'static>(spec: OutputSpec<O>, settings: ModelSettings) -> Result<Value> {
    let mut input = question().settings(settings);
    input.output_format = spec.finish()?.object.map(|object| object.format);
    body_of(&named("claude-opus-4-6"), &input)
}

#[test]
fn text_is_held_to_a_schema_that_can_be_strict() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Fruit {
        #[expect(dead_code, reason = "only its schema matters")]
        #[schemars(length(min = 1))]
        name: String,
    }
    let native = || OutputSpec::<Fruit>::of().native();
    let body = formatted(native(), ModelSettings::new().thinking(Thinking::Low)).expect("a body");
    let schema = &body["output_config"]["format"]["schema"];
    assert_eq!(schema["properties"]["name"], json!({"type": "string", "description": "minLength=1"}));
    assert_eq!((&body["output_config"]["effort"], &schema["additionalProperties"]), (&json!("low"), &json!(false)));
    assert_eq!(body["output_config"]["format"]["type"], "json_schema");
    let prompted = formatted(OutputSpec::<Fruit>::of().prompted(), ModelSettings::new()).expect("a body");
    assert_eq!(prompted.get("output_config"), None);
    let map = OutputSpec::<std::collections::BTreeMap<String, u8>>::of().native();
    let error = formatted(map, ModelSettings::new()).expect_err("an open map");
    assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("prompted"), "{error}");
    assert!(named("claude-opus-4-6").has_native_output() && !named("claude-3-5-haiku-latest").has_native_output());
}

#[test]
fn the_system_is_told_apart_from_the_conversation() {
    let system = |text: &str| RequestPart::SystemPrompt(SystemPromptPart::new(text));
    let opening =
        ask(vec![system("Be kind."), system("Be \"brief\"."), RequestPart::UserPrompt(UserPromptPart::new("Go."))]);
    let mut input = ModelInput::new([opening].into_iter().collect());
    assert_eq!(body_of(&model(), &input).expect("a body")["system"], "Be kind.\n\nBe \"brief\".");
    input.instructions = Some("Now.".to_owned());
    let text = |text: &str| json!({"type": "text", "text": text});
    let blocks = json!([text("Be kind.\n\nBe \"brief\"."), text("Now.")]);
    assert_eq!(body_of(&model(), &input).expect("a body")["system"], blocks);
    input.history = [user("Go.")].into_iter().collect();
    assert_eq!(body_of(&model(), &input).expect("a body")["system"], json!([text("Now.")]));
    input.instructions = Some(String::new());
    assert_eq!(body_of(&model(), &input).expect("a body").get("system"), None);
}

#[test]
fn settings_say_what_is_cached() {
    let builder = AnthropicModel::builder("claude-sonnet-4-5").api_key("k").cache_tools(CacheTtl::FiveMinutes);
    let builder = builder.cache_instructions(CacheTtl::Hour).cache_history(CacheTtl::FiveMinutes);
    let model = builder.build().expect("a model");
    let mut input = question().function_tools(tools("a b"));
    input.instructions = Some("Now.".to_owned());
    let body = body_of(&model, &input).expect("a body");
    let place = |ttl: &str| json!({"type": "ephemeral", "ttl": ttl});
    assert_eq!((body["tools"][0].get("cache_control"), &body["tools"][1]["cache_control"]), (None, &place("1h")));
    assert_eq!(body["system"], json!([{"type": "text", "text": "Now.", "cache_control": place("1h")}]));
    assert_eq!(body["messages"][0]["content"][0]["cache_control"], place("5m"));
    let bare = body_of(&model, &question()).expect("a body");
    assert_eq!((bare.get("system"), bare.get("tools")), (None, None));
}

#[test]
fn what_is_wrong_with_a_model_is_said_at_once() {
    let build = |url: &str| AnthropicModel::builder("m").api_key("sk-secret").base_url(url).build();
    for url in ["", "nowhere", "ftp://example.com", "data:text/plain,x"] {
        let error = build(url).expect_err("misuse");
        assert_eq!(error.kind(), ErrorKind::Misuse);
        assert!(error.to_string().contains("ANTHROPIC_BASE_URL"), "{error}");
    }
    let model = build("http://user:pass@localhost:1/?q=hidden").expect("a model");
    assert_eq!(format!("{model:?}"), r#"AnthropicModel { name: "m", url: "http://localhost:1/", .. }"#);
    for (url, path) in [
        ("http://localhost:1", "/v1/messages"),
        ("http://localhost:1/v1/", "/v1/messages"),
        ("http://localhost:1/anthropic", "/anthropic/v1/messages"),
    ] {
        assert_eq!(build(url).expect("a model").0.api.endpoint.path(), path);
    }
    assert!(!format!("{:?}", AnthropicModel::builder("m").api_key("sk-secret")).contains("secret"));
    let builder = || AnthropicModel::builder("m").base_url("http://localhost:1");
    let error = builder().api_key("sk-secret\n1").build().expect_err("misuse").to_string();
    assert!(!error.contains("secret"), "{error}");
    assert_eq!(builder().api_key("k").beta("a\nb").build().expect_err("misuse").kind(), ErrorKind::Misuse);
    if std::env::var_os("ANTHROPIC_API_KEY").is_none() {
        let error = AnthropicModel::new("m").expect_err("misuse");
        assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("ANTHROPIC_API_KEY"), "{error}");
    }
}
