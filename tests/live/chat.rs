//! Providers in their own words, as the server speaks them: at once and streamed, with faults.

use std::time::{Duration, Instant};

use serde_json::json;
use toolwright::message::Outcome;
use toolwright::{ErrorKind, Event, Model, Result};

use crate::llmock::Llmock;
use crate::server::Server;
use crate::tools::{agent_over, answers};

const SAID: &str = r#""sunny in mock-city for 1 days""#;

/// Runs an agent to its end: one tool is called, and there is a text; then goes on with the conversation.
async fn conversation(server: &Llmock, model: Result<impl Model>) {
    let agent = agent_over(model);
    let first = agent.run("What is the weather in the city?").await.expect("a run");
    assert_eq!(answers(first.history()), [("weather", Outcome::Success, SAID.to_owned())]);
    let usage = first.usage();
    assert!(!first.output().is_empty() && usage.input_tokens > 0 && usage.output_tokens > 0, "{usage:?}");
    let second = agent.run("Thank you.").history(first.history().clone()).await.expect("a run");
    assert!(!second.output().is_empty());
    server.assert_content().await;
}

async fn streams(server: &Llmock, model: Result<impl Model>) {
    let agent = agent_over(model);
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

async fn rate_limits(server: &Llmock, model: Result<impl Model>) {
    server.will(json!([{"type": "fail", "status": 429, "retry_after": 0.3}])).await;
    let begun = Instant::now();
    let result = agent_over(model).run("What is the weather in the city?").await.expect("a run");
    assert_eq!(answers(result.history()), [("weather", Outcome::Success, SAID.to_owned())]);
    assert!(begun.elapsed() >= Duration::from_millis(300), "it did not wait: {:?}", begun.elapsed());
    assert_eq!(server.statuses().await, [429, 200, 200]);
    server.assert_content().await;
}

async fn failing_server(server: &Llmock, model: Result<impl Model>) {
    server.will(json!([{"type": "fail", "status": 500}, {"type": "fail", "status": 503}])).await;
    let result = agent_over(model).run("What is the weather in the city?").await.expect("a run");
    assert_eq!(answers(result.history()), [("weather", Outcome::Success, SAID.to_owned())]);
    assert_eq!(server.statuses().await, [500, 503, 200, 200]);
    server.assert_content().await;
}

/// Asks for streamed answers that break, and once more for each: to the server, the same request once more is the repetition that
/// it wants to see.
async fn broken_streams(server: &Llmock, model: Result<impl Model>) {
    let agent = agent_over(model);
    for (kind, is_retryable) in [("disconnect", true), ("truncate", true), ("malformed", false)] {
        server.reset().await;
        server.will(json!([{"type": "stream_fault", "kind": kind, "after_chunks": 1}])).await;
        let ask = || agent.run(format!("What is the weather in {kind}?")).stream().finish();
        let error = ask().await.expect_err("half an answer");
        assert_eq!((error.kind(), error.status()), (ErrorKind::Provider, None), "{kind}: {error}");
        assert_eq!(error.is_retryable(), is_retryable, "{kind}: {error}");
        assert_eq!(error.history().expect("a history").len(), 1, "the prompt is kept, and nothing of the answer");
        ask().await.expect("a run");
    }
}

/// The same tests over a provider's model.
macro_rules! over {
    ($provider:ident, $builder:expr, $path:literal) => {
        pub(crate) mod $provider {
            use crate::llmock::Llmock;

            fn model(server: &Llmock) -> toolwright::Result<impl toolwright::Model> {
                $builder.base_url(format!("{}{}", server.url, $path)).api_key("a-key-for-a-mock").build()
            }

            pub(crate) async fn conversation(server: Llmock) {
                super::conversation(&server, model(&server)).await;
            }

            pub(crate) async fn streams(server: Llmock) {
                super::streams(&server, model(&server)).await;
            }

            pub(crate) async fn rate_limits(server: Llmock) {
                super::rate_limits(&server, model(&server)).await;
            }

            pub(crate) async fn failing_server(server: Llmock) {
                super::failing_server(&server, model(&server)).await;
            }

            pub(crate) async fn broken_streams(server: Llmock) {
                super::broken_streams(&server, model(&server)).await;
            }
        }
    };
}

over!(groq, toolwright::provider::groq::GroqModel::builder("llama-3.3-70b-versatile"), "/groq");
over!(xai, toolwright::provider::xai::XaiModel::builder("grok-3"), "/xai");
over!(mistral, toolwright::provider::mistral::MistralModel::builder("mistral-small-latest"), "/mistral/v1");
over!(cohere, toolwright::provider::cohere::CohereModel::builder("command-r-08-2024"), "/cohere/v2");
