//! The Gemini API, as the server speaks it: at once and streamed, with faults.

use std::time::{Duration, Instant};

use serde_json::json;
use toolwright::message::{Message, ModelRequest, Outcome, RequestPart, UserPromptPart};
use toolwright::model::{self, ModelInput, PartEvents, RequestCache};
use toolwright::provider::google::{GoogleModel, GoogleModelBuilder};
use toolwright::{Error, ErrorKind, Event, History, Model, ModelSettings, ToolChoice, ToolDefinition};

use crate::llmock::Llmock;
use crate::tools::{agent_over, answers};

/// A model behind the server.
fn over(server: &Llmock) -> GoogleModelBuilder {
    named("gemini-2.5-pro", server)
}

/// The model of this name behind the server.
pub(crate) fn named(name: &str, server: &Llmock) -> GoogleModelBuilder {
    GoogleModel::builder(name).base_url(format!("{}/gemini", server.url)).api_key("AIza-for-a-mock")
}

const SAID: &str = r#""sunny in mock-city for 1 days""#;

/// Runs an agent to its end: one tool is called, and there is a text.
async fn assert_ends_well(model: GoogleModelBuilder) {
    let result = agent_over(model.build()).run("What is the weather in the city?").await.expect("a run");
    assert_eq!(answers(result.history()), [("weather", Outcome::Success, SAID.to_owned())]);
    let usage = result.usage();
    assert!(!result.output().is_empty() && usage.input_tokens > 0 && usage.output_tokens > 0, "{usage:?}");
}

pub(crate) async fn runs(server: Llmock) {
    assert_ends_well(over(&server)).await;
    server.assert_content().await;
}

pub(crate) async fn forced_choice(server: Llmock) {
    let prompt = ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new("What is the weather?"))]);
    let input = ModelInput::new([Message::from(prompt)].into_iter().collect())
        .function_tools(["weather", "book"].map(ToolDefinition::new))
        .settings(ModelSettings::new().tool_choice(ToolChoice::tools(["book"])));
    let response = model::request(&over(&server).build().expect("a model"), &input).await.expect("a call");
    let called: Vec<_> = response.tool_calls().map(|call| call.tool_name.as_str()).collect();
    assert_eq!(called, ["book"]);
    server.assert_content().await;
}

pub(crate) async fn rate_limits(server: Llmock) {
    server.will(json!([{"type": "fail", "status": 429, "retry_after": 0.3}])).await;
    let begun = Instant::now();
    assert_ends_well(over(&server)).await;
    assert!(begun.elapsed() >= Duration::from_millis(300), "it did not wait: {:?}", begun.elapsed());
    assert_eq!(server.statuses().await, [429, 200, 200]);
    server.assert_content().await;
}

pub(crate) async fn failing_server(server: Llmock) {
    server.will(json!([{"type": "fail", "status": 500}, {"type": "fail", "status": 503}])).await;
    assert_ends_well(over(&server)).await;
    assert_eq!(server.statuses().await, [500, 503, 200, 200]);
    server.assert_content().await;
}

pub(crate) async fn refusals(server: Llmock) {
    for status in [400, 403, 404] {
        server.will(json!([{"type": "fail", "status": status, "message": "it is not to be"}])).await;
        let error = agent_over(over(&server).build()).run(format!("May I have a {status}?")).await.expect_err("no");
        assert_eq!((error.kind(), error.status(), error.is_retryable()), (ErrorKind::Provider, Some(status), false));
        assert!(error.to_string().contains("it is not to be"), "{error}");
    }
    server.assert_content().await;
}

pub(crate) async fn slow_replies(server: Llmock) {
    let limit = Duration::from_secs(2);
    server.will(json!([{"type": "delay", "seconds": 3}])).await;
    assert_ends_well(over(&server).first_byte_timeout(limit)).await;
    assert_eq!(server.statuses().await.len(), 3, "one was given up");
    server.assert_content().await;
}

pub(crate) async fn streams(server: Llmock) {
    let agent = agent_over(over(&server).build());
    let mut stream = agent.run("What is the weather in the city?").stream();
    let mut pieces = 0;
    while let Some(event) = stream.next().await {
        pieces += usize::from(matches!(event, Event::Part(_)));
    }
    let result = stream.finish().await.expect("a run");
    assert_eq!(answers(result.history()), [("weather", Outcome::Success, SAID.to_owned())]);
    assert!(pieces > 4, "a call and the words of a text: {pieces}");
    server.assert_content().await;
}

/// Asks for a streamed text in several pieces, in which this goes wrong.
async fn broken_stream(server: &Llmock, fault: &str) -> Result<(), Error> {
    let text = "One, two, three, four, five.";
    let fault = json!({"type": "stream_fault", "kind": fault, "after_chunks": 2, "stall_seconds": 3});
    server.will(json!([{"type": "reply", "text": text}, fault])).await;
    let model = over(server).first_byte_timeout(Duration::from_secs(1)).build()?;
    let input = ModelInput::new(History::new());
    let response = model.request_stream(&input, &mut RequestCache::default(), &mut PartEvents::unheard()).await?;
    unreachable!("a broken reply was taken for whole: {response:?}")
}

/// The server would have them asked for again; that is the caller's to decide, as some of the reply was told already.
pub(crate) async fn broken_streams(server: Llmock) {
    for fault in ["truncate", "disconnect", "stall"] {
        let error = broken_stream(&server, fault).await.expect_err("it broke");
        assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Provider, true), "{fault}: {error}");
    }
    let error = broken_stream(&server, "malformed").await.expect_err("it is no JSON");
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Provider, false), "{error}");
}
