//! What stands around the messages.

use super::*;
use crate::error::ErrorKind;
use crate::model::{Thinking, ToolChoice};

#[test]
fn a_plain_question_is_a_small_body() {
    let body = body_of(&model(), &question()).expect("a body");
    assert_eq!(body, json!({"contents": [{"role": "user", "parts": [{"text": "Go."}]}]}));
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
        .thinking(Thinking::Low)
        .parallel_tool_calls(false);
    let mut input = question().settings(settings).function_tools(tools("a"));
    input.instructions = Some("Be brief.".to_owned());
    let body = body_of(&model(), &input).expect("a body");
    let schema = json!({"type": "object", "properties": {}});
    assert_eq!(
        body,
        json!({
            "generationConfig": {
                "maxOutputTokens": 9, "temperature": 0.2, "topP": 0.9, "presencePenalty": 1.0, "frequencyPenalty": -1.0,
                "stopSequences": ["END"], "seed": 7, "thinkingConfig": {"includeThoughts": true, "thinkingLevel": "LOW"},
            },
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}},
            "tools": [{"functionDeclarations": [{"name": "a", "description": "", "parametersJsonSchema": schema}]}],
            "contents": [{"role": "user", "parts": [{"text": "Go."}]}],
        })
    );
}

#[test]
fn extra_keys_stand_over_ours_also_inside() {
    let Value::Object(extra) = json!({"generationConfig": {"topK": 40, "seed": 1}, "safetySettings": []}) else {
        unreachable!("an object")
    };
    let settings = ModelSettings::new().seed(7).max_tokens(9).extra_body(extra);
    let body = bytes_of(&model(), &question().settings(settings), &mut Sent::default()).expect("a body");
    let body = String::from_utf8(body).expect("text");
    let expected = r#"{"generationConfig":{"maxOutputTokens":9,"topK":40,"seed":1},"safetySettings":[],"contents":"#;
    assert!(body.starts_with(expected), "{body}");
    let Value::Object(extra) = json!({"generationConfig": null, "contents": []}) else { unreachable!("an object") };
    let body = body_of(&model(), &question().settings(ModelSettings::new().seed(7).extra_body(extra)));
    assert_eq!(body.expect("a body"), json!({"generationConfig": null, "contents": []}));
}

/// The function-calling mode, the names it goes with, and the names of the tools.
fn choosing(model: &GoogleModel, choice: ToolChoice, tools: Vec<ToolDefinition>) -> (String, Value, String) {
    let input = question().function_tools(tools).settings(ModelSettings::new().tool_choice(choice));
    let body = body_of(model, &input).expect("a body");
    let config = &body["toolConfig"]["functionCallingConfig"];
    let declared = body["tools"][0]["functionDeclarations"].as_array().into_iter().flatten();
    let names: Vec<_> = declared.filter_map(|tool| tool["name"].as_str()).collect();
    (config["mode"].as_str().unwrap_or_default().to_owned(), config["allowedFunctionNames"].clone(), names.join(" "))
}

#[test]
fn a_choice_leaves_the_tools_alone() {
    for (choice, mode, allowed) in [
        (ToolChoice::Auto, "VALIDATED", json!(null)),
        (ToolChoice::None, "NONE", json!(null)),
        (ToolChoice::Required, "ANY", json!(null)),
        (ToolChoice::tools(["b"]), "ANY", json!(["b"])),
        (ToolChoice::tools(["c", "a"]), "ANY", json!(["a", "c"])),
        (ToolChoice::tool_or_output(["a", "b"]), "VALIDATED", json!(["a", "b"])),
    ] {
        let chosen = choosing(&model(), choice, tools("a b c"));
        assert_eq!(chosen, (mode.to_owned(), allowed, "a b c".to_owned()));
    }
    let body = body_of(&model(), &question().settings(ModelSettings::new().tool_choice(ToolChoice::None)));
    assert_eq!(body.expect("a body").get("toolConfig"), None, "there is nothing to be told about");
}

#[test]
fn a_mode_without_names_is_sent_fewer_tools() {
    let some = || ToolChoice::tool_or_output(["b"]);
    let auto = |tools: &str| ("AUTO".to_owned(), json!(null), tools.to_owned());
    assert_eq!(choosing(&named("gemini-2.0-flash"), some(), tools("a b c")), auto("b"));
    assert_eq!(choosing(&named("gemini-2.0-flash"), ToolChoice::Auto, tools("a b c")), auto("a b c"));
    let loose = || tools("a b c").into_iter().map(|tool| tool.with_strict(false)).collect();
    assert_eq!(choosing(&model(), some(), loose()), auto("b"));
    assert_eq!(choosing(&model(), ToolChoice::tools(["b"]), loose()).1, json!(["b"]));
}

#[test]
fn one_tool_that_opts_out_loosens_all() {
    let mode = |model: &GoogleModel, input: &ModelInput| {
        body_of(model, input).expect("a body")["toolConfig"]["functionCallingConfig"]["mode"].clone()
    };
    let strict = ToolDefinition::new("s").with_strict(true);
    let loose = ToolDefinition::new("l").with_strict(false);
    let both = question().function_tools([strict.clone(), loose.clone()]);
    assert_eq!(mode(&model(), &both), "AUTO");
    let notes = notes_of(&model(), &both);
    assert!(notes.len() == 1 && notes[0].contains("`s`"), "{notes:?}");
    let mut output = question().function_tools([strict.clone()]);
    output.output_tools = [loose].into();
    assert_eq!(mode(&model(), &output), "AUTO");
    let alone = question().function_tools([strict]);
    assert_eq!((mode(&model(), &alone), notes_of(&model(), &alone)), (json!("VALIDATED"), vec![]));
    let older = named("gemini-1.5-pro");
    assert_eq!((mode(&older, &alone), notes_of(&older, &alone).len()), (json!("AUTO"), 1));
}

#[test]
fn models_that_draw_are_given_no_tools() {
    let draws = named("gemini-2.5-flash-image");
    let error = body_of(&draws, &question().function_tools(tools("t"))).expect_err("misuse");
    assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("gemini-2.5-flash-image"), "{error}");
    assert!(body_of(&draws, &question()).is_ok());
}

#[test]
fn names_that_the_api_cannot_take_have_stand_ins() {
    let input = question().function_tools(tools("a.b 9lives 日本"));
    let body = body_of(&model(), &input).expect("a body");
    let names: Vec<_> = (0..3).filter_map(|at| body["tools"][0]["functionDeclarations"][at]["name"].as_str()).collect();
    assert_eq!(names[0], "a.b");
    assert!(names[1..].iter().all(|name| name.starts_with('_') && name.is_ascii()), "{names:?}");
    let back = WireNames::by(&NAMES, input.tools()).expect("names");
    assert_eq!([back.original(names[1]), back.original(names[2])], ["9lives", "日本"]);
}

#[test]
fn what_is_wrong_with_a_model_is_said_at_once() {
    let build = |url: &str| GoogleModel::builder("m").api_key("AIza-secret").base_url(url).build();
    for url in ["", "nowhere", "ftp://example.com", "data:text/plain,x"] {
        let error = build(url).expect_err("misuse");
        assert_eq!(error.kind(), ErrorKind::Misuse);
        assert!(error.to_string().contains("GOOGLE_GEMINI_BASE_URL"), "{error}");
    }
    let model = build("http://user:pass@localhost:1/proxy/?q=hidden").expect("a model");
    assert_eq!(format!("{model:?}"), r#"GoogleModel { name: "m", url: "http://localhost:1/proxy/", .. }"#);
    assert!(!format!("{:?}", GoogleModel::builder("m").api_key("AIza-secret")).contains("secret"));
    let odd = GoogleModel::builder("m").api_key("line\nbreak").build().expect_err("misuse");
    assert!(odd.kind() == ErrorKind::Misuse && !odd.to_string().contains("break"), "{odd}");
    if ACCESS.key_variables.iter().all(|name| std::env::var_os(name).is_none()) {
        let error = GoogleModel::new("m").expect_err("misuse");
        assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("GOOGLE_API_KEY"), "{error}");
    }
}

#[test]
fn the_path_has_the_models_name_and_never_the_key() {
    let urls = |name: &str, url: &str| {
        let model = GoogleModel::builder(name).api_key("AIza-secret").base_url(url).build().expect("a model");
        [model.0.api.endpoint.to_string(), model.0.api.stream_endpoint.to_string()]
    };
    let base = "http://localhost:1/v1beta/models/gemini-3";
    let expected = [format!("{base}:generateContent"), format!("{base}:streamGenerateContent?alt=sse")];
    assert_eq!(urls("gemini-3", "http://localhost:1"), expected);
    assert_eq!(urls("models/gemini-3", "http://localhost:1/"), expected);
    assert!(urls("tunedModels/mine", "http://localhost:1")[0].ends_with("/v1beta/tunedModels/mine:generateContent"));
    assert!(urls("a b?c", "http://localhost:1/x")[0].ends_with("/x/v1beta/models/a%20b%3Fc:generateContent"));
}
