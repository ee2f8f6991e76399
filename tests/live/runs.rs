//! Runs in which nothing goes wrong.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright::message::Outcome;
use toolwright::{Agent, OutputSpec};

use crate::llmock::Llmock;
use crate::tools::{agent, answers, model};

pub(crate) async fn choices(server: Llmock) {
    let agent = agent(model(&server.url));
    for (prompt, tool, said) in [
        ("What is the weather in the city?", "weather", r#""sunny in mock-city for 1 days""#),
        ("Convert the currency of my money.", "convert", r#"{"amount":1.0,"currency":"EUR"}"#),
        ("Please book a table!", "book", r#""2026-01-01: mock-name, 1 vegetarian""#),
    ] {
        let result = agent.run(prompt).await.expect("a run");
        assert_eq!(answers(result.history()), [(tool, Outcome::Success, said.to_owned())]);
        assert!(!result.output().is_empty());
        let usage = result.usage();
        assert_eq!((usage.requests, usage.tool_calls), (2, 1));
        assert!(usage.input_tokens > 0 && usage.output_tokens > 0, "{usage:?}");
    }
    server.assert_content().await;
}

pub(crate) async fn three_calls(server: Llmock) {
    let calls = json!([
        {"name": "weather", "arguments": {"city": "Oslo", "days": 3}},
        {"name": "convert", "arguments": {"amount": 2, "from": "EUR", "to": "NOK"}},
        {"name": "book", "arguments": {"day": "2026-05-17", "guests": [{"name": "Kari", "vegetarian": false}]}},
    ]);
    server.will(json!([{"type": "reply", "tool_calls": calls}])).await;
    let result = agent(model(&server.url)).run("Plan the day.").await.expect("a run");
    let expected = [
        ("weather", r#""sunny in Oslo for 3 days""#),
        ("convert", r#"{"amount":23.0,"currency":"NOK"}"#),
        ("book", r#""2026-05-17: Kari, 0 vegetarian""#),
    ];
    assert_eq!(
        answers(result.history()),
        expected.map(|(tool, said)| (tool, Outcome::Success, said.to_owned())),
        "in the order of the calls"
    );
    server.assert_content().await;
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Advice {
    garment: String,
    #[schemars(range(min = 2, max = 5))]
    layers: u8,
    umbrella: bool,
}

pub(crate) async fn output(server: Llmock) {
    let agent = Agent::<()>::builder(model(&server.url).build().expect("a model"))
        .output(OutputSpec::<Advice>::of())
        .build()
        .expect("an agent");
    let result = agent.run("What should I wear?").await.expect("a run");
    assert_eq!(result.output(), &Advice { garment: "mock-garment".to_owned(), layers: 2, umbrella: true });
    server.assert_content().await;
}

pub(crate) async fn conversation(server: Llmock) {
    let agent = agent(model(&server.url));
    let first = agent.run("What is the weather in the city?").await.expect("a run");
    let second = agent.run("And tomorrow?").history(first.history().clone()).await.expect("a second run");
    assert_eq!(answers(second.history()).len(), 2);
    assert_eq!(second.new_messages().len(), 4);
    server.assert_content().await;
}
