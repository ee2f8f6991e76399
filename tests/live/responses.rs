//! Runs over OpenAI's Responses API.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright::message::Outcome;
use toolwright::provider::openai::{OpenAiResponsesModel, OpenAiResponsesModelBuilder};
use toolwright::{ErrorKind, Result, RunResult};

use crate::llmock::Llmock;
use crate::server::Server;
use crate::tools::{agent_over, answers};

/// A model behind the server at `url`.
fn model(url: &str) -> OpenAiResponsesModelBuilder {
    OpenAiResponsesModel::builder("gpt-5.2").base_url(format!("{url}/v1")).api_key("sk-for-a-mock")
}

/// Runs an agent to its end: one tool is called, and there is a text.
async fn assert_ends_well(model: OpenAiResponsesModelBuilder) {
    let agent = agent_over(model.build());
    let result = agent.run("What is the weather in the city?").await.expect("a run");
    let said = r#""sunny in mock-city for 1 days""#.to_owned();
    assert_eq!(answers(result.history()), [("weather", Outcome::Success, said)]);
    assert!(!result.output().is_empty());
    let usage = result.usage();
    assert!(usage.input_tokens > 0 && usage.output_tokens > 0, "{usage:?}");
}

/// Runs an agent over streamed replies, and gives how many events there were.
async fn streamed(model: OpenAiResponsesModelBuilder) -> (Result<RunResult<String>>, usize) {
    let agent = agent_over(model.build());
    let mut run = agent.run("What is the weather in the city?").stream();
    let mut count = 0;
    while run.next().await.is_some() {
        count += 1;
    }
    (run.finish().await, count)
}

pub(crate) async fn conversation(server: Llmock) {
    let agent = agent_over(model(&server.url).build());
    let first = agent.run("What is the weather in the city?").await.expect("a run");
    let second = agent.run("And tomorrow?").history(first.history().clone()).await.expect("a second run");
    assert_eq!(answers(second.history()).len(), 2);
    server.assert_content().await;
}

pub(crate) async fn streams(server: Llmock) {
    let (result, count) = streamed(model(&server.url)).await;
    assert_eq!(answers(result.expect("a run").history()).len(), 1);
    assert!(count > 6, "only {count} events");
    server.assert_content().await;
}

pub(crate) async fn faults(server: Llmock) {
    let begun = Instant::now();
    server.will(json!([{"type": "fail", "status": 429, "retry_after": 1.0}, {"type": "fail", "status": 529}])).await;
    assert_ends_well(model(&server.url)).await;
    assert!(begun.elapsed() >= Duration::from_secs(1), "it did not wait: {:?}", begun.elapsed());
    server.will(json!([{"type": "fail", "status": 500, "times": 2}])).await;
    assert_ends_well(model(&server.url)).await;
    assert_eq!(server.statuses().await, [429, 529, 200, 200, 500, 500, 200, 200]);
    server.assert_content().await;
}

pub(crate) async fn broken_streams(server: Llmock) {
    let fault = |kind: &str, after: u64| json!([{"type": "stream_fault", "kind": kind, "after_chunks": after}]);
    let faults: [(Value, bool); 4] = [
        (fault("disconnect", 3), true),
        (fault("truncate", 0), true),
        (fault("truncate", 5), true),
        (fault("malformed", 4), false),
    ];
    for (fault, is_retryable) in faults {
        server.reset().await;
        server.will(fault.clone()).await;
        let error = streamed(model(&server.url)).await.0.expect_err("it is not whole");
        assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Provider, is_retryable), "{fault}: {error}");
        assert_eq!(error.history().expect("a history").len(), 1, "the prompt is kept");
    }
}

pub(crate) async fn slow_replies(server: Llmock) {
    let limit = Duration::from_secs(2);
    server.will(json!([{"type": "delay", "seconds": 3}])).await;
    assert_ends_well(model(&server.url).first_byte_timeout(limit)).await;
    assert_eq!(server.statuses().await.len(), 3, "one was given up");
    server.assert_content().await;
}
