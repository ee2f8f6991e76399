//! Runs over Anthropic's Messages API.

use std::time::{Duration, Instant};

use serde_json::json;
use toolwright::ErrorKind;
use toolwright::message::{CacheTtl, Outcome};
use toolwright::provider::anthropic::{AnthropicModel, AnthropicModelBuilder};

use crate::llmock::Llmock;
use crate::tools::{agent_over, answers};

/// A model behind the server at `url`.
fn model(url: &str) -> AnthropicModelBuilder {
    let builder =
        AnthropicModel::builder("claude-haiku-4-5").base_url(format!("{url}/anthropic")).api_key("sk-for-a-mock");
    builder.settings(toolwright::ModelSettings::new().max_tokens(1024))
}

/// Runs an agent to its end: one tool is called, and there is a text.
async fn assert_ends_well(model: AnthropicModelBuilder) {
    let agent = agent_over(model.build());
    let result = agent.run("What is the weather in the city?").await.expect("a run");
    let said = r#""sunny in mock-city for 1 days""#.to_owned();
    assert_eq!(answers(result.history()), [("weather", Outcome::Success, said)]);
    assert!(!result.output().is_empty());
    let usage = result.usage();
    assert!(usage.input_tokens > 0 && usage.output_tokens > 0, "{usage:?}");
}

pub(crate) async fn conversation(server: Llmock) {
    let cached = model(&server.url).cache_tools(CacheTtl::Hour).cache_history(CacheTtl::FiveMinutes);
    let agent = agent_over(cached.build());
    let first = agent.run("What is the weather in the city?").await.expect("a run");
    let second = agent.run("And tomorrow?").history(first.history().clone()).await.expect("a second run");
    assert_eq!(answers(second.history()).len(), 2);
    server.assert_content().await;
}

pub(crate) async fn streams(server: Llmock) {
    let agent = agent_over(model(&server.url).build());
    let mut run = agent.run("What is the weather in the city?").stream();
    let mut count = 0;
    while run.next().await.is_some() {
        count += 1;
    }
    let result = run.finish().await.expect("a run");
    assert!(count > 6, "only {count} events");
    assert_eq!(answers(result.history()).len(), 1);
    // What is asked for as a stream, as it may be long, though nobody watches.
    let long = toolwright::ModelSettings::new();
    assert_ends_well(model(&server.url).settings(long)).await;
    server.assert_content().await;
}

/// Asks for a streamed answer that breaks, and once more.
async fn assert_breaks(server: &Llmock, kind: &str, is_retryable: bool) {
    server.will(json!([{"type": "stream_fault", "kind": kind, "after_chunks": 3}])).await;
    let agent = agent_over(model(&server.url).build());
    // To the server, the same request once more is the repetition that it wants to see.
    let ask = || agent.run(format!("What is the weather in {kind}?"));
    let error = ask().stream().finish().await.expect_err("half an answer");
    assert_eq!((error.kind(), error.status()), (ErrorKind::Provider, None), "{kind}: {error}");
    assert_eq!(error.is_retryable(), is_retryable, "{kind}: {error}");
    assert_eq!(error.history().expect("a history").len(), 1, "the prompt is kept, and nothing of the answer");
    ask().stream().finish().await.expect("a run");
}

pub(crate) async fn broken_streams(server: Llmock) {
    assert_breaks(&server, "disconnect", true).await;
    assert_breaks(&server, "truncate", true).await;
    server.assert_content().await;
    // The server cannot see that this is not taken for an answer: it has sent everything before it is read.
    assert_breaks(&server, "malformed", false).await;
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

pub(crate) async fn overload(server: Llmock) {
    server.will(json!([{"type": "fail", "status": 529, "retry_after": 0.1, "times": null}])).await;
    let agent = agent_over(model(&server.url).build());
    let error = agent.run("Anybody there?").await.expect_err("nobody");
    assert_eq!((error.kind(), error.status(), error.is_retryable()), (ErrorKind::Provider, Some(529), true));
    assert_eq!(server.statuses().await, [529, 529, 529]);
    server.assert_content().await;
}

pub(crate) async fn slow_replies(server: Llmock) {
    let limit = Duration::from_secs(2);
    server.will(json!([{"type": "delay", "seconds": 3}])).await;
    assert_ends_well(model(&server.url).first_byte_timeout(limit)).await;
    assert_eq!(server.statuses().await.len(), 3, "one was given up");
    server.assert_content().await;
}
