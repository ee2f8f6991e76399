//! Tools that the model's provider runs itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use reqwest::{Request, Response};
use serde_json::{Value, json};
use toolwright::error::BoxError;
use toolwright::message::{Message, ModelResponse, ResponsePart};
use toolwright::model::{AnyModel, FallbackModel, FunctionModel, ModelInput, TestModel};
use toolwright::native::{CodeExecution, NativeTool, ProviderTool, UserLocation, WebFetch, WebSearch};
use toolwright::provider::Transport;
use toolwright::provider::anthropic::AnthropicModel;
use toolwright::provider::google::GoogleModel;
use toolwright::provider::openai::{OpenAiChatModel, OpenAiResponsesModel};
use toolwright::{Agent, Error, ErrorKind, History, Model, tool, tools};
use toolwright_tests::check_body;

/// Search the web, by a service of the application's.
#[tool(unless_native = "web_search")]
fn search(query: String) -> String {
    format!("nothing about {query}")
}

/// Tell a name.
#[tool]
fn name() -> String {
    "Ada".to_owned()
}

/// A request's body, and what of the API was asked for beside it.
type Asked = (Value, Option<String>);

/// Answers with these replies in turn, and keeps what was asked.
#[derive(Clone)]
struct Scripted {
    replies: Arc<Mutex<VecDeque<Value>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Scripted {
    fn new(replies: impl IntoIterator<Item = Value>) -> Self {
        Self { replies: Arc::new(Mutex::new(replies.into_iter().collect())), asked: Arc::default() }
    }

    /// The bodies of the requests.
    fn bodies(&self) -> Vec<Value> {
        self.asked.lock().expect("lock").iter().map(|(body, _)| body.clone()).collect()
    }

    /// What of the API was asked for beside the request.
    fn betas(&self) -> Vec<Option<String>> {
        self.asked.lock().expect("lock").iter().map(|(_, beta)| beta.clone()).collect()
    }
}

impl Transport for Scripted {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        let body = serde_json::from_slice(request.body().and_then(|body| body.as_bytes()).unwrap_or_default())?;
        let beta = request.headers().get("anthropic-beta").and_then(|beta| Some(beta.to_str().ok()?.to_owned()));
        self.asked.lock().expect("lock").push((body, beta));
        let reply = self.replies.lock().expect("lock").pop_front().ok_or("nothing more to say")?;
        let response = http::Response::builder().header("content-type", "application/json").body(reply.to_string())?;
        Ok(response.into())
    }
}

fn anthropic(server: &Scripted) -> AnyModel {
    let model = AnthropicModel::builder("claude-sonnet-4-5").api_key("k").transport(server.clone()).build();
    AnyModel::new(model.expect("a model"))
}

fn responses(server: &Scripted) -> AnyModel {
    let model = OpenAiResponsesModel::builder("gpt-5.2").api_key("k").transport(server.clone()).build();
    AnyModel::new(model.expect("a model"))
}

fn google(name: &str, server: &Scripted) -> AnyModel {
    let model = GoogleModel::builder(name).api_key("k").transport(server.clone()).build();
    AnyModel::new(model.expect("a model"))
}

/// Two runs over one history.
async fn twice(model: AnyModel, tool: impl Into<NativeTool>) -> History {
    let agent = Agent::<()>::builder(model).native_tool(tool).build().expect("an agent");
    let first = agent.run("Search.").await.expect("a first answer");
    agent.run("And now?").history(first.history().clone()).await.expect("a second answer").history().clone()
}

fn text_of_anthropic(text: &str) -> Value {
    json!({"id": "m", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 1, "output_tokens": 1}})
}

fn searched_by_anthropic() -> Value {
    let found = json!([{"type": "web_search_result", "title": "T", "url": "https://docs.rs/a", "encrypted_content": "e",
        "page_age": null}]);
    let mut reply = text_of_anthropic("");
    reply["content"] = json!([
        {"type": "text", "text": "I look."},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "a"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found},
        {"type": "server_tool_use", "id": "srvtoolu_2", "name": "bash_code_execution", "input": {"command": "ls"},
            "caller": {"type": "code_execution_20250825", "tool_id": "srvtoolu_9"}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "srvtoolu_2", "content":
            {"type": "bash_code_execution_result", "stdout": "x", "stderr": "", "return_code": 0, "content": []}},
        {"type": "text", "text": "Found."},
    ]);
    reply
}

fn named(parts: &[ResponsePart]) -> Vec<String> {
    let name = |part: &ResponsePart| match part {
        ResponsePart::BuiltinToolCall(call) => format!("{}({})", call.tool_name, call.args.text()),
        ResponsePart::BuiltinToolReturn(result) => format!("-> {}", result.tool_name),
        ResponsePart::Text(text) => text.content.clone(),
        other => format!("{other:?}"),
    };
    parts.iter().map(name).collect()
}

fn response(history: &History) -> &ModelResponse {
    let responses = history.iter().find_map(|message| match message {
        Message::Response(response) => Some(response),
        _ => None,
    });
    responses.expect("a response")
}

#[tokio::test]
async fn what_anthropic_ran_is_kept_and_goes_back_as_it_came() {
    let server = Scripted::new([searched_by_anthropic(), text_of_anthropic("done")]);
    let mut oslo = UserLocation::default();
    oslo.city = Some("Oslo".to_owned());
    let search = WebSearch::new().allowed_domains(["docs.rs"]).max_uses(2).user_location(oslo);
    let history = twice(anthropic(&server), search).await;
    let parts = [
        "I look.",
        r#"web_search({"query":"a"})"#,
        "-> web_search",
        r#"code_execution({"command":"ls"})"#,
        "-> code_execution",
        "Found.",
    ];
    assert_eq!(named(&response(&history).parts), parts);
    let [first, second] = &server.bodies()[..] else { panic!("two requests") };
    let definition = json!({"type": "web_search_20250305", "name": "web_search", "max_uses": 2, "allowed_domains": ["docs.rs"],
        "user_location": {"type": "approximate", "city": "Oslo"}});
    assert_eq!(first["tools"], json!([definition]));
    assert_eq!(second["messages"][1]["content"], searched_by_anthropic()["content"]);
    for body in server.bodies() {
        check_body("anthropic", &body).expect("the body fits");
    }

    // The same after it was stored, and nothing of it elsewhere.
    let stored = History::from_json(&history.to_json()).expect("the history");
    assert_eq!(stored.to_json(), history.to_json());
    let elsewhere = Scripted::new([answered_by_openai()]);
    let agent = Agent::<()>::builder(responses(&elsewhere)).build().expect("an agent");
    agent.run("Go on.").history(stored).await.expect("an answer");
    let body = &elsewhere.bodies()[0];
    check_body("openai-responses", body).expect("the body fits");
    assert!(!body.to_string().contains("srvtoolu") && !body.to_string().contains("web_search"), "{body}");
}

#[tokio::test]
async fn a_response_that_anthropic_suspends_goes_on_with_its_open_call() {
    let mut paused = searched_by_anthropic();
    paused["stop_reason"] = json!("pause_turn");
    let rest = paused["content"].as_array_mut().expect("blocks").split_off(2);
    let mut resumed = text_of_anthropic("");
    resumed["content"] = Value::Array(rest);
    let server = Scripted::new([paused.clone(), resumed, text_of_anthropic("done")]);
    let history = twice(anthropic(&server), WebSearch::new()).await;
    let bodies = server.bodies();
    assert_eq!(bodies[1]["messages"][1]["content"], paused["content"]);
    assert_eq!(bodies[1]["messages"].as_array().map(Vec::len), Some(2));
    assert_eq!(bodies[2]["messages"][1]["content"], searched_by_anthropic()["content"]);
    assert_eq!(history.len(), 4);
    bodies.iter().for_each(|body| check_body("anthropic", body).expect("the body fits"));
}

#[tokio::test]
async fn reading_pages_is_asked_for_as_a_beta_of_anthropics() {
    let server = Scripted::new([text_of_anthropic("done"), text_of_anthropic("done")]);
    twice(anthropic(&server), WebFetch::new().blocked_domains(["evil.example"])).await;
    assert_eq!(server.betas()[0].as_deref(), Some("web-fetch-2025-09-10"));
    let definition = json!({"type": "web_fetch_20250910", "name": "web_fetch", "blocked_domains": ["evil.example"]});
    assert_eq!(server.bodies()[0]["tools"], json!([definition]));
    check_body("anthropic", &server.bodies()[0]).expect("the body fits");
}

fn answered_by_openai() -> Value {
    json!({"id": "r", "object": "response", "status": "completed", "model": "gpt-5.2", "output": [
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "done", "annotations": []}]}]})
}

fn searched_by_openai() -> Value {
    let mut reply = answered_by_openai();
    let searched = json!({"type": "web_search_call", "id": "ws_1", "status": "completed",
        "action": {"type": "search", "query": "a", "sources": [{"type": "url", "url": "https://docs.rs/a"}]}});
    let ran = json!({"type": "code_interpreter_call", "id": "ci_1", "status": "completed", "code": "1 + 1",
        "container_id": "c", "outputs": [{"type": "logs", "logs": "2"}]});
    let output = reply["output"].as_array_mut().expect("items");
    output.insert(0, ran);
    output.insert(0, searched);
    reply
}

#[tokio::test]
async fn what_openai_ran_is_kept_and_goes_back_as_it_came() {
    let server = Scripted::new([searched_by_openai(), answered_by_openai()]);
    let history = twice(responses(&server), WebSearch::new().allowed_domains(["docs.rs"])).await;
    let parts = [
        r#"web_search({"type":"search","query":"a"})"#,
        "-> web_search",
        r#"code_execution({"code":"1 + 1","container_id":"c"})"#,
        "-> code_execution",
        "done",
    ];
    assert_eq!(named(&response(&history).parts), parts);
    let sources = &response(&history).parts[1];
    assert!(
        matches!(sources, ResponsePart::BuiltinToolReturn(part) if part.content.to_json().text().contains("docs.rs/a"))
    );
    let [first, second] = &server.bodies()[..] else { panic!("two requests") };
    assert_eq!(first["tools"], json!([{"type": "web_search", "filters": {"allowed_domains": ["docs.rs"]}}]));
    let mut searched = searched_by_openai()["output"][0].clone();
    // The API tells of sources, and does not take them back.
    searched["action"].as_object_mut().expect("an action").remove("sources");
    assert_eq!(second["input"][1], searched);
    assert_eq!(second["input"][2], searched_by_openai()["output"][1]);
    for body in server.bodies() {
        check_body("openai-responses", &body).expect("the body fits");
    }
}

fn google_reply(parts: Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]})
}

#[tokio::test]
async fn what_google_ran_is_kept_and_goes_back_as_it_came() {
    let parts = json!([
        {"toolCall": {"id": "g1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["a"]}}, "thoughtSignature": "c2ln"},
        {"toolResponse": {"id": "g1", "toolType": "GOOGLE_SEARCH_WEB", "response": {"ok": true}}},
        {"executableCode": {"language": "PYTHON", "code": "1 + 1"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2"}},
        {"text": "done"},
    ]);
    let server = Scripted::new([google_reply(parts.clone()), google_reply(json!([{"text": "done"}]))]);
    let agent = Agent::<()>::builder(google("gemini-3-pro-preview", &server))
        .native_tool(WebSearch::new())
        .native_tool(CodeExecution::new())
        .tools(tools![name])
        .build()
        .expect("an agent");
    let first = agent.run("Search.").await.expect("an answer");
    agent.run("And now?").history(first.history().clone()).await.expect("an answer");
    let kept = named(&response(first.history()).parts);
    let expected = [
        r#"web_search({"queries":["a"]})"#,
        "-> web_search",
        r#"code_execution({"language":"PYTHON","code":"1 + 1"})"#,
        "-> code_execution",
        "done",
    ];
    assert_eq!(kept, expected);
    let [asked, again] = &server.bodies()[..] else { panic!("two requests") };
    assert_eq!(asked["tools"][0], json!({"googleSearch": {}}));
    assert_eq!(asked["tools"][1], json!({"codeExecution": {}}));
    assert_eq!(asked["tools"][2]["functionDeclarations"][0]["name"], "name");
    assert_eq!(asked["toolConfig"]["includeServerSideToolInvocations"], true);
    assert_eq!(again["contents"][1]["parts"], parts);
}

#[tokio::test]
async fn a_search_that_only_googles_metadata_tells_of_is_told_and_does_not_go_back() {
    let mut reply = google_reply(json!([{"text": "done"}]));
    reply["candidates"][0]["groundingMetadata"] = json!({"webSearchQueries": ["a"],
        "groundingChunks": [{"web": {"uri": "https://docs.rs/a", "title": "T"}}]});
    let server = Scripted::new([reply, google_reply(json!([{"text": "done"}]))]);
    let history = twice(google("gemini-2.5-flash", &server), WebSearch::new()).await;
    assert_eq!(named(&response(&history).parts), ["done", r#"web_search({"queries":["a"]})"#, "-> web_search"]);
    assert_eq!(server.bodies()[1]["contents"][1]["parts"], json!([{"text": "done"}]));
}

#[tokio::test]
async fn older_gemini_models_refuse_functions_beside_them() {
    let server = Scripted::new([]);
    let agent =
        Agent::<()>::builder(google("gemini-2.5-flash", &server)).native_tool(WebSearch::new()).tools(tools![name]);
    let error = agent.build().expect("an agent").run("Go.").await.expect_err("it is refused");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("beside functions"), "{error}");
    assert!(server.bodies().is_empty());
}

#[tokio::test]
async fn a_function_tool_steps_aside_where_the_provider_does_the_same() {
    let server = Scripted::new([text_of_anthropic("done"), text_of_anthropic("done")]);
    let agent = Agent::<()>::builder(anthropic(&server)).native_tool(WebSearch::new()).tools(tools![search, name]);
    let agent = agent.build().expect("an agent");
    let result = agent.run("Go.").await.expect("an answer");
    let names: Vec<_> =
        server.bodies()[0]["tools"].as_array().expect("tools").iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["web_search", "name"]);
    let notes = result.steps()[0].notes.join("\n");
    assert!(notes.contains("`search` steps aside") && notes.contains("`web_search`"), "{notes}");

    // Without the agent wanting the provider's, it stays.
    let agent = Agent::<()>::builder(anthropic(&server)).tools(tools![search]).build().expect("an agent");
    agent.run("Go.").await.expect("an answer");
    assert_eq!(server.bodies()[1]["tools"][0]["name"], "search");
}

#[tokio::test]
async fn a_function_tool_takes_the_place_of_what_the_provider_does_not_have() {
    let agent = Agent::<()>::builder(TestModel::new()).native_tool(WebSearch::new()).tools(tools![search]);
    let result = agent.build().expect("an agent").run("Go.").await.expect("an answer");
    assert_eq!(result.output(), r#"{"search":"nothing about a"}"#);
}

#[tokio::test]
async fn what_nothing_replaces_is_refused_unless_it_is_optional() {
    let refused = |tool: NativeTool| async {
        let agent =
            Agent::<()>::builder(TestModel::new()).native_tool(tool).tools(tools![name]).build().expect("an agent");
        agent.run("Go.").await
    };
    let error = refused(WebSearch::new().into()).await.expect_err("it is refused");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    let text = error.to_string();
    assert!(text.contains("`test`") && text.contains("`web_search`") && text.contains("optional"), "{text}");
    assert!(refused(NativeTool::from(WebSearch::new()).optional()).await.is_ok());
}

#[test]
fn a_limit_that_a_provider_cannot_keep_counts() {
    let server = Scripted::new([]);
    let (claude, gpt, gemini) = (anthropic(&server), responses(&server), google("gemini-3-pro-preview", &server));
    let chat = OpenAiChatModel::builder("gpt-5.2").api_key("k").build().expect("a model");
    let has = |tool: NativeTool| {
        [
            claude.has_native_tool(&tool),
            gpt.has_native_tool(&tool),
            gemini.has_native_tool(&tool),
            chat.has_native_tool(&tool),
        ]
    };
    assert_eq!(has(WebSearch::new().into()), [true, true, true, false]);
    assert_eq!(has(WebSearch::new().max_uses(1).into()), [true, false, false, false]);
    assert_eq!(has(WebSearch::new().allowed_domains(["a"]).into()), [true, true, false, false]);
    assert_eq!(
        has(WebSearch::new().allowed_domains(["a"]).blocked_domains(["b"]).into()),
        [false, false, false, false]
    );
    assert_eq!(has(WebFetch::new().into()), [true, false, true, false]);
    assert_eq!(has(CodeExecution::new().into()), [true, true, true, false]);
    assert_eq!(has(ProviderTool::new("openai", "file_search", json!({})).into()), [false, true, false, false]);
}

#[tokio::test]
async fn a_name_that_the_providers_tool_has_is_refused() {
    /// Search.
    #[tool]
    fn web_search() {}
    let server = Scripted::new([]);
    let agent = Agent::<()>::builder(anthropic(&server)).native_tool(WebSearch::new()).tools(tools![web_search]);
    let error = agent.build().expect("an agent").run("Go.").await.expect_err("it is refused");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("`web_search`"), "{error}");
}

#[tokio::test]
async fn each_model_of_a_fallback_is_given_what_it_has() {
    let failing = FunctionModel::new(|input: &ModelInput| {
        let tools: Vec<_> = input.function_tools.iter().map(toolwright::ToolDefinition::name).collect();
        let seen = format!("{tools:?} {}", input.native_tools.len());
        Err::<ModelResponse, _>(Error::provider(seen).with_status(500))
    });
    let model = FallbackModel::new(failing).or(TestModel::new());
    let agent = Agent::<()>::builder(model).native_tool(WebSearch::new()).tools(tools![search, name]);
    let result = agent.build().expect("an agent").run("Go.").await.expect("an answer");
    assert_eq!(result.output(), r#"{"search":"nothing about a","name":"Ada"}"#);
    let notes = result.steps()[0].notes.join("\n");
    assert!(notes.contains(r#"["name"] 1"#), "the one that has it saw no rival: {notes}");
}

#[tokio::test]
async fn a_hidden_tool_can_replace_what_a_model_of_a_fallback_does_not_have() {
    let hidden = tools![search].into_iter().map(|tool| tool.map_definition(|tool| tool.with_defer_loading(true)));
    let model = FallbackModel::new(TestModel::new());
    let agent = Agent::<()>::builder(model).native_tool(WebSearch::new()).tools(hidden).build().expect("an agent");
    let result = agent.run("Go.").await.expect("an answer");
    assert_eq!(result.steps()[0].hidden_tools[0].name(), "search");
}
