//! What is sent to each service's models, and what comes of their replies.

use serde_json::{Value, json};

use crate::Model;
use crate::error::{Error, ErrorKind, Result};
use crate::http::server::{Server, reply};
use crate::message::{
    CachePoint, CacheTtl, Message, ModelRequest, ModelResponse, RequestPart, ResponsePart, SystemPromptPart,
    ThinkingPart, UserContent, UserPromptPart,
};
use crate::model::{self, ModelInput, ModelSettings, PartEvents, RequestCache, Thinking, ToolChoice};
use crate::provider::chat::tests::replies::short;
use crate::provider::chat::tests::{ask, call, question, sent, tools, user};
use crate::provider::openai::{OpenAiChatModel, OpenAiResponsesModel, Service};

fn at(service: Service, name: &str) -> OpenAiChatModel {
    let builder = OpenAiChatModel::at(service, name).api_key("k").base_url("http://localhost:1/v1");
    builder.build().expect("a model")
}

fn body(service: Service, name: &str, settings: ModelSettings) -> Value {
    let input = question().function_tools(tools("a b")).settings(settings);
    sent(&at(service, name).0, &input).expect("a body").0
}

/// What comes of a choice: the choice that is sent, and how many of two tools.
fn choosing(service: Service, name: &str, settings: ModelSettings) -> Result<(Value, usize, Vec<String>)> {
    let input = question().function_tools(tools("a b")).settings(settings);
    let (body, notes) = sent(&at(service, name).0, &input)?;
    Ok((body["tool_choice"].clone(), body["tools"].as_array().map_or(0, Vec::len), notes))
}

fn required() -> ModelSettings {
    ModelSettings::new().tool_choice(ToolChoice::Required)
}

#[test]
fn calls_are_forced_where_that_can_be_done() {
    for (service, name) in [
        (Service::Azure, "gpt-5.2"),
        (Service::Cerebras, "zai-glm-4.7"),
        (Service::Crusoe, "zai-org/GLM-5.3"),
        (Service::DeepSeek, "deepseek-chat"),
        (Service::Fireworks, "accounts/fireworks/models/llama-v3p1-8b"),
        (Service::GitHubCopilot, "claude-haiku-4.5"),
        (Service::OpenRouter, "anthropic/claude-sonnet-4.5"),
        (Service::Snowflake, "claude-sonnet-4-5"),
        (Service::Together, "meta-llama/Llama-3"),
        (Service::Vllm, "Qwen/Qwen3-Coder-480B"),
        (Service::Zai, "glm-5.3"),
    ] {
        let (choice, count, notes) = choosing(service, name, required()).expect("a body");
        assert_eq!((choice, count, notes), (json!("required"), 2, vec![]), "{service:?} {name}");
    }
    let refused = |service, name, settings| choosing(service, name, settings).expect_err("misuse");
    for (service, name) in [
        (Service::Cerebras, "gpt-oss-120b"),
        (Service::Vllm, "openai/gpt-oss-20b"),
        (Service::Cerebras, "qwen-3-coder-480b"),
        (Service::DeepSeek, "deepseek-reasoner"),
        (Service::DeepSeek, "deepseek-v4-pro"),
        (Service::GitHubCopilot, "claude-opus-5.5"),
        (Service::OpenRouter, "anthropic/claude-opus-5.5"),
        (Service::Together, "deepseek-ai/DeepSeek-V4-Pro"),
    ] {
        let error: Error = refused(service, name, required());
        assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains(name), "{error}");
    }
}

#[test]
fn thinking_and_forcing_exclude_each_other_where_they_do() {
    let thinking = |thinking| required().thinking(thinking);
    let claude = "anthropic/claude-sonnet-4.5";
    assert!(choosing(Service::OpenRouter, claude, thinking(Thinking::Low)).is_err());
    assert!(choosing(Service::OpenRouter, claude, thinking(Thinking::Off)).is_ok());
    assert!(choosing(Service::OpenRouter, "openai/gpt-5.2", thinking(Thinking::Low)).is_ok());
    // It thinks unless it is told not to.
    assert!(choosing(Service::DeepSeek, "deepseek-v4-pro", thinking(Thinking::Off)).is_ok());
    // What nobody asked for in so many words gives way.
    let mut input = question();
    input.output_tools = tools("final_result").into();
    input.allow_text = false;
    let (body, _) = sent(&at(Service::DeepSeek, "deepseek-v4-pro").0, &input).expect("a body");
    assert_eq!(body["tool_choice"], "auto");
}

#[test]
fn ollama_is_told_of_the_tools_it_may_call_alone() {
    let chosen = |choice| choosing(Service::Ollama, "qwen3", ModelSettings::new().tool_choice(choice)).expect("a body");
    assert_eq!(chosen(ToolChoice::Auto), (json!("auto"), 2, vec![]));
    assert_eq!(chosen(ToolChoice::None).1, 0);
    let (_, count, notes) = chosen(ToolChoice::tools(["b"]));
    assert!(count == 1 && notes[0].contains("tool_choice"), "{notes:?}");
    assert!(chosen(ToolChoice::Required).2[0].contains("without a call"));
}

#[test]
fn lists_of_tools_are_left_to_services_that_know_them() {
    for service in Service::ALL {
        let name = if service == Service::BedrockMantle { "openai.gpt-oss-safeguard-20b" } else { "openai/gpt-5.2" };
        if service == Service::Snowflake {
            continue;
        }
        let input = question().function_tools(tools("a b c"));
        let input = input.settings(ModelSettings::new().tool_choice(ToolChoice::tool_or_output(["a", "b"])));
        let (body, _) = sent(&at(service, name).0, &input).expect("a body");
        let knows = matches!(service, Service::OpenAi | Service::Azure | Service::BedrockMantle);
        assert_eq!(body["tools"].as_array().map_or(0, Vec::len), if knows { 3 } else { 2 }, "{service:?}");
    }
}

#[test]
fn how_much_to_think_is_said_in_each_service_s_way() {
    let told = |service, name, thinking| {
        let mut body = body(service, name, ModelSettings::new().thinking(thinking));
        let object = body.as_object_mut().expect("an object");
        object.retain(|key, _| {
            ["reasoning", "reasoning_effort", "thinking", "clear_thinking", "temperature"].contains(&key.as_str())
        });
        body
    };
    for (service, name, thinking, expected) in [
        (Service::Azure, "gpt-5.2", Thinking::Low, json!({"reasoning_effort": "low"})),
        (Service::Cerebras, "gpt-oss-120b", Thinking::Off, json!({"reasoning_effort": "low"})),
        (Service::Cerebras, "zai-glm-4.7", Thinking::Off, json!({"reasoning_effort": "none", "clear_thinking": false})),
        (Service::DeepSeek, "deepseek-v4-flash", Thinking::Medium, json!({"reasoning_effort": "high"})),
        (
            Service::OpenRouter,
            "openai/gpt-5.2",
            Thinking::High,
            json!({"reasoning": {"effort": "high", "enabled": true}}),
        ),
        (Service::OpenRouter, "x-ai/grok-build", Thinking::Off, json!({"reasoning": {"effort": "minimal"}})),
        (
            Service::Snowflake,
            "claude-sonnet-4-5",
            Thinking::On,
            json!({"reasoning": {"effort": "medium"}, "temperature": 1.0}),
        ),
        (Service::Snowflake, "openai-gpt-5.2", Thinking::Low, json!({"reasoning_effort": "low"})),
        (Service::Vllm, "Qwen/Qwen3-8B", Thinking::Off, json!({"reasoning_effort": "none"})),
        (
            Service::Zai,
            "glm-5.3",
            Thinking::Medium,
            json!({"thinking": {"type": "enabled", "clear_thinking": false}, "reasoning_effort": "high"}),
        ),
        (Service::Zai, "glm-4.7", Thinking::Off, json!({"thinking": {"type": "disabled", "clear_thinking": false}})),
        (Service::Together, "meta-llama/Llama-3", Thinking::High, json!({})),
    ] {
        assert_eq!(told(service, name, thinking), expected, "{service:?} {name}");
    }
}

#[test]
fn snowflake_has_tools_for_some_models_alone() {
    let error = choosing(Service::Snowflake, "llama4-maverick", ModelSettings::new()).expect_err("misuse");
    assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("takes no tools"), "{error}");
    assert!(!at(Service::Snowflake, "llama4-maverick").has_native_output());
    assert!(sent(&at(Service::Snowflake, "llama4-maverick").0, &question()).is_ok());
}

#[test]
fn limits_bear_the_name_that_each_service_knows() {
    for (service, name, key) in [
        (Service::Azure, "gpt-5.2", "max_completion_tokens"),
        (Service::Azure, "mistral-large", "max_tokens"),
        (Service::GitHubCopilot, "claude-haiku-4.5", "max_completion_tokens"),
        (Service::DeepSeek, "deepseek-chat", "max_tokens"),
        (Service::OpenRouter, "openai/gpt-5.2", "max_tokens"),
    ] {
        assert_eq!(body(service, name, ModelSettings::new().max_tokens(9))[key], 9, "{service:?} {name}");
    }
}

#[test]
fn vllm_is_sent_one_system_message_at_the_beginning() {
    let system = |text: &str| RequestPart::SystemPrompt(SystemPromptPart::new(text));
    let prompt = |text: &str| RequestPart::UserPrompt(UserPromptPart::new(text));
    let history: [Message; 2] = [
        ask(vec![system("Be \"kind\"."), system("Be brief."), prompt("Hi.")]),
        ask(vec![system("Now be loud."), prompt("Hi?")]),
    ];
    let mut input = ModelInput::new(history.into_iter().collect());
    input.instructions = Some("Answer.".to_owned());
    let (body, _) = sent(&at(Service::Vllm, "m").0, &input).expect("a body");
    assert_eq!(
        body["messages"],
        json!([
            {"role": "system", "content": "Be \"kind\".\n\nBe brief.\n\nAnswer."},
            {"role": "user", "content": "Hi."},
            {"role": "user", "content": "Now be loud."},
            {"role": "user", "content": "Hi?"},
        ])
    );
    let mut input = question();
    input.instructions = Some("Answer.".to_owned());
    let (body, _) = sent(&at(Service::Vllm, "m").0, &input).expect("a body");
    assert_eq!(body["messages"][0], json!({"role": "system", "content": "Answer."}));
}

/// Prompts with cache points behind these pieces of words; an empty piece is a point.
fn cached(name: &str, prompts: &[&[&str]]) -> Result<Value> {
    let piece = |words: &&str| match words.split_once("ttl ") {
        Some((_, "1h")) => UserContent::from(CachePoint::new().with_ttl(CacheTtl::Hour)),
        Some(_) => CachePoint::new().into(),
        None => (*words).into(),
    };
    let prompt = |pieces: &&[&str]| -> Message {
        let pieces: Vec<UserContent> = pieces.iter().map(piece).collect();
        ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new(pieces))]).into()
    };
    let input = ModelInput::new(prompts.iter().map(prompt).collect());
    Ok(sent(&at(Service::OpenRouter, name).0, &input)?.0["messages"].clone())
}

#[test]
fn cache_points_are_marks_where_openrouter_hands_them_on() {
    let marked = |words: &str, mark: Value| json!({"type": "text", "text": words, "cache_control": mark});
    let plain = |words: &str| json!({"type": "text", "text": words});
    let five = json!({"type": "ephemeral", "ttl": "5m"});
    let messages = cached("anthropic/claude-sonnet-4.5", &[&["a", "ttl 5m", "b"], &["c", "ttl 5m"]]).expect("a body");
    assert_eq!(messages[0]["content"], json!([marked("a", five.clone()), plain("b")]));
    assert_eq!(messages[1]["content"], json!([marked("c", five.clone())]));
    let many: Vec<&[&str]> = vec![&["a", "ttl 5m"]; 6];
    let messages = cached("anthropic/claude-sonnet-4.5", &many).expect("a body");
    assert_eq!(messages.to_string().matches("cache_control").count(), 4);
    assert_eq!(messages[0]["content"], json!([plain("a")]), "the newest count");
    let messages = cached("anthropic/claude-sonnet-4.5", &[&["a", "ttl 5m"], &["b", "ttl 1h"]]).expect("a body");
    assert_eq!(messages.to_string().matches("\"1h\"").count(), 2, "nothing lasts less than what comes after it");
    let messages = cached("google/gemini-3-pro", &[&["a", "ttl 1h"]]).expect("a body");
    assert_eq!(messages[0]["content"], json!([marked("a", json!({"type": "ephemeral"}))]));
    let messages = cached("openai/gpt-5.2", &[&["a", "ttl 5m"]]).expect("a body");
    assert_eq!(messages[0]["content"], json!([plain("a")]));
    assert_eq!(
        cached("anthropic/claude-sonnet-4.5", &[&["ttl 5m", "a"]]).expect_err("misuse").kind(),
        ErrorKind::Misuse
    );
}

fn details() -> Value {
    json!([
        {"type": "reasoning.text", "id": "r1", "format": "anthropic-claude-v1", "index": 0, "text": "hm", "signature": "s"},
        {"type": "reasoning.summary", "index": 1, "summary": "in short"},
        {"type": "reasoning.encrypted", "format": "openai-responses-v1", "index": 2, "data": "d"},
    ])
}

/// What is sent back of a response.
fn sent_back(service: Service, name: &str, response: ModelResponse) -> Value {
    let history = [user("Go."), response.into(), user("Sure?")].into_iter().collect();
    sent(&at(service, name).0, &ModelInput::new(history)).expect("a body").0["messages"][1].clone()
}

async fn openrouter(reply: crate::http::server::Say, streamed: bool) -> ModelResponse {
    let server = Server::start(vec![reply]).await;
    let model = OpenAiChatModel::at(Service::OpenRouter, "anthropic/claude-sonnet-4.5").api_key("k");
    let model = model.base_url(&server.url).build().expect("a model");
    match streamed {
        true => model.request_stream(&question(), &mut RequestCache::default(), &mut PartEvents::unheard()).await,
        false => model::request(&model, &question()).await,
    }
    .expect("a response")
}

#[tokio::test]
async fn thoughts_with_proofs_go_back_as_they_came() {
    let message = json!({"role": "assistant", "content": "4", "reasoning": "hm", "reasoning_details": details()});
    let whole = json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).to_string();
    let chunk = |delta: Value| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta}]}));
    let piece = |detail: Value| chunk(json!({"reasoning": "x", "reasoning_details": [detail]}));
    let events = [
        piece(json!({"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0, "text": "h"})),
        piece(json!({"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0, "text": "m"})),
        piece(
            json!({"type": "reasoning.text", "id": "r1", "format": "anthropic-claude-v1", "index": 0, "signature": "s"}),
        ),
        piece(json!({"type": "reasoning.summary", "index": 1, "summary": "in short"})),
        piece(json!({"type": "reasoning.encrypted", "format": "openai-responses-v1", "index": 2, "data": "d"})),
        chunk(json!({"content": "4"})),
        "data: [DONE]\n\n".to_owned(),
    ];
    let events = reply(200, &["content-type: text/event-stream"], &events.concat());
    for (reply, streamed) in [(reply(200, &[], &whole), false), (events, true)] {
        let response = openrouter(reply, streamed).await;
        assert_eq!(short(&response), ["thinking: hm", "thinking: in short", "thinking: ", "text: 4"]);
        assert_eq!(response.provider_name.as_deref(), Some("openrouter"));
        let back = sent_back(Service::OpenRouter, "anthropic/claude-sonnet-4.5", response.clone());
        assert_eq!(back, json!({"role": "assistant", "content": "4", "reasoning_details": details()}));
        let stored = crate::History::from_iter([Message::from(response.clone())]).to_json();
        let loaded = crate::History::from_json(&stored).expect("a history");
        assert_eq!(loaded.to_json(), stored);
        let elsewhere = sent_back(Service::Snowflake, "claude-sonnet-4-5", response);
        assert_eq!(elsewhere, json!({"role": "assistant", "content": "4"}), "another's thoughts are not its own");
    }
}

#[test]
fn thoughts_go_back_where_each_service_wants_them() {
    let response = |provider: &str, with_call: bool, thought: Option<&str>| {
        let mut parts: Vec<ResponsePart> = Vec::new();
        parts.extend(thought.map(|thought| ResponsePart::Thinking(ThinkingPart::new(thought))));
        parts.push(crate::message::TextPart::new("4").into());
        if with_call {
            parts.push(call("t", "c").into());
        }
        let mut response = ModelResponse::new(parts);
        response.provider_name = Some(provider.to_owned());
        response
    };
    let of = |service: Service, name, with_call, thought| {
        sent_back(service, name, response(service.name(), with_call, thought))
    };
    let back = of(Service::DeepSeek, "deepseek-reasoner", true, Some("hm"));
    assert_eq!(back["reasoning_content"], "hm");
    let back = of(Service::DeepSeek, "deepseek-reasoner", true, None);
    assert_eq!(back["reasoning_content"], "", "a call without thoughts has none of them");
    assert_eq!(of(Service::DeepSeek, "deepseek-chat", true, None).get("reasoning_content"), None);
    let back = of(Service::Cerebras, "zai-glm-4.7", false, Some("hm"));
    assert_eq!(back["content"], "<think>\nhm\n</think>\n\n4");
}

#[test]
fn responses_are_of_the_service_that_gave_them() {
    let model = OpenAiResponsesModel::at(Service::Azure, "my-deployment").api_key("k").base_url("http://localhost:1");
    assert_eq!(model.build().expect("a model").system(), "azure");
    for service in Service::ALL {
        assert_eq!(at_or_responses(service), service.name());
    }
}

/// The name in messages of a model at a service.
fn at_or_responses(service: Service) -> String {
    let builder = OpenAiResponsesModel::at(service, "openai.gpt-5.2").api_key("k").base_url("http://localhost:1/v1");
    builder.build().expect("a model").system().to_owned()
}
