//! Runs in which the server, the network or the model fails.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright::ErrorKind;
use toolwright::message::Outcome;
use toolwright::provider::openai::OpenAiChatModelBuilder;

use crate::cutter::Cutter;
use crate::llmock::Llmock;
use crate::tools::{agent, answers, model};

/// Runs an agent to its end: one tool is called, and there is a text.
async fn assert_ends_well(model: OpenAiChatModelBuilder) {
    let result = agent(model).run("What is the weather in the city?").await.expect("a run");
    let said = r#""sunny in mock-city for 1 days""#.to_owned();
    assert_eq!(answers(result.history()), [("weather", Outcome::Success, said)]);
    assert!(!result.output().is_empty());
}

pub(crate) async fn rate_limits(server: Llmock) {
    let limited = |pause: f64| json!({"type": "fail", "status": 429, "retry_after": pause});
    server.will(json!([limited(0.2), limited(1.0)])).await;
    let begun = Instant::now();
    assert_ends_well(model(&server.url)).await;
    assert!(begun.elapsed() >= Duration::from_millis(1200), "it did not wait: {:?}", begun.elapsed());
    assert_eq!(server.statuses().await, [429, 429, 200, 200]);
    server.assert_content().await;
}

pub(crate) async fn failing_server(server: Llmock) {
    server.will(json!([{"type": "fail", "status": 500, "times": 2}])).await;
    assert_ends_well(model(&server.url)).await;
    server.will(json!([{"type": "fail", "status": 503}, {"type": "fail", "status": 502}])).await;
    assert_ends_well(model(&server.url)).await;
    assert_eq!(server.statuses().await, [500, 500, 200, 200, 503, 502, 200, 200]);
    server.assert_content().await;
}

pub(crate) async fn server_down(server: Llmock) {
    server.will(json!([{"type": "fail", "status": 503, "retry_after": 0.1, "times": null}])).await;
    let error = agent(model(&server.url)).run("Anybody there?").await.expect_err("nobody");
    assert_eq!((error.kind(), error.status(), error.is_retryable()), (ErrorKind::Provider, Some(503), true));
    assert_eq!(error.history().expect("a history").len(), 1, "the prompt is kept");
    assert_eq!(server.statuses().await, [503, 503, 503]);
    server.assert_content().await;
}

pub(crate) async fn refusals(server: Llmock) {
    for status in [400, 401, 403, 404, 422] {
        server.will(json!([{"type": "fail", "status": status, "message": "it is not to be"}])).await;
        // To the server, the same request once more would be a repetition.
        let prompt = format!("May I have a {status}?");
        let error = agent(model(&server.url)).run(prompt).await.expect_err("a refusal");
        assert_eq!((error.kind(), error.status(), error.is_retryable()), (ErrorKind::Provider, Some(status), false));
        assert!(error.to_string().contains("it is not to be"), "{error}");
    }
    assert_eq!(server.statuses().await, [400, 401, 403, 404, 422]);
    server.assert_content().await;
}

pub(crate) async fn slow_replies(server: Llmock) {
    let limit = Duration::from_secs(2);
    server.will(json!([{"type": "delay", "seconds": 3}])).await;
    let begun = Instant::now();
    assert_ends_well(model(&server.url).first_byte_timeout(limit)).await;
    assert!(begun.elapsed() >= limit, "the server had less time than it may take: {:?}", begun.elapsed());
    assert_eq!(server.statuses().await.len(), 3, "one was given up");
    server.assert_content().await;
}

pub(crate) async fn deadline(server: Llmock) {
    server.will(json!([{"type": "delay", "seconds": 1.5}])).await;
    let begun = Instant::now();
    let error = agent(model(&server.url)).run("Quick!").deadline(Duration::from_millis(200)).await.expect_err("late");
    assert!(error.is_cancelled(), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(1), "it waited for the server: {:?}", begun.elapsed());
    server.assert_content().await;
}

pub(crate) async fn cut_replies(server: Llmock) {
    let cutter = Cutter::start(&server.url, 2).await;
    assert_ends_well(model(&cutter.url)).await;
    assert_eq!(server.statuses().await, [200; 4], "two of them did not arrive");
    server.assert_content().await;
}

/// A call of the weather tool, twice, the first time with this fault.
fn mended(kind: &str) -> Value {
    let call = json!({"name": "weather", "arguments": {"city": "Oslo"}});
    json!([{"type": "reply", "tool_calls": [call], "times": 2}, {"type": "tool_fault", "kind": kind}])
}

pub(crate) async fn malformed_arguments(server: Llmock) {
    server.will(mended("malformed_arguments")).await;
    let result = agent(model(&server.url)).run("How is Oslo?").await.expect("a run");
    let answers = answers(result.history());
    let outcomes: Vec<_> = answers.iter().map(|(tool, outcome, _)| (*tool, *outcome)).collect();
    assert_eq!(outcomes, [("weather", Outcome::Retried), ("weather", Outcome::Success)]);
    assert_eq!(answers[1].2, r#""sunny in Oslo for 1 days""#);
    assert_eq!(result.usage().tool_calls, 1);
    server.assert_content().await;
}

pub(crate) async fn unknown_tool(server: Llmock) {
    server.will(mended("unknown_tool")).await;
    let result = agent(model(&server.url)).run("How is Oslo?").await.expect("a run");
    let answers = answers(result.history());
    let outcomes: Vec<_> = answers.iter().map(|(tool, outcome, _)| (*tool, *outcome)).collect();
    assert_eq!(outcomes, [("llmock_unknown_tool", Outcome::Retried), ("weather", Outcome::Success)]);
    assert!(answers[0].2.contains("book"), "it says which tools there are: {}", answers[0].2);
    server.assert_content().await;
}
