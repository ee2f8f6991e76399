//! A run that goes on at another provider when its own fails in the middle of it.

use serde_json::json;
use toolwright::message::{AttemptOutcome, Message, Outcome};
use toolwright::model::FallbackModel;
use toolwright::provider::anthropic::AnthropicModel;
use toolwright::{Agent, ModelSettings, RunContext, tool, tools};

use crate::llmock::Llmock;
use crate::tools::{agent_over, answers, model};

fn two_providers(url: &str) -> toolwright::Result<FallbackModel> {
    let first = model(url).settings(ModelSettings::new().max_retries(1)).build()?;
    let second = AnthropicModel::builder("claude-haiku-4-5").base_url(format!("{url}/anthropic")).api_key("sk-mock");
    Ok(FallbackModel::new(first).or(second.settings(ModelSettings::new().max_tokens(1024)).build()?))
}

/// Tell the weather of a city.
#[tool]
async fn weather(ctx: &RunContext<Llmock>, city: String) -> String {
    // From here on, the first provider is down.
    ctx.deps().will(json!([{"type": "fail", "status": 503, "retry_after": 0.1, "times": 2}])).await;
    format!("sunny in {city}")
}

pub(crate) async fn mid_run(server: Llmock) {
    let model = two_providers(&server.url).expect("a model");
    let agent = Agent::<Llmock>::builder(model).tools(tools![weather]).build().expect("an agent");
    let result = agent.run("What is the weather in the city?").deps(server.clone()).await.expect("a run");
    assert_eq!(answers(result.history()), [("weather", Outcome::Success, r#""sunny in mock-city""#.to_owned())]);
    assert_eq!(
        server.statuses().await,
        [200, 503, 503, 200],
        "the second provider was asked with what the first began"
    );
    let Some(Message::Response(last)) = result.history().iter().last() else {
        unreachable!("a run ends with a response")
    };
    assert_eq!(last.provider_name.as_deref(), Some("anthropic"));
    let [attempt] = last.failed_attempts.as_slice() else { unreachable!("one attempt failed: {last:?}") };
    assert_eq!((attempt.provider_name.as_deref(), attempt.outcome), (Some("openai"), AttemptOutcome::Error));
    assert!(result.steps()[1].notes.iter().any(|note| note.contains("503")), "{:?}", result.steps());
    server.assert_content().await;
}

pub(crate) async fn streamed(server: Llmock) {
    let fails = json!({"type": "fail", "status": 503, "retry_after": 0.1, "times": 2});
    server.will(json!([fails])).await;
    let mut run = agent_over(two_providers(&server.url)).run("What is the weather in the city?").stream();
    let mut count = 0;
    while run.next().await.is_some() {
        count += 1;
    }
    let result = run.finish().await.expect("a run");
    assert!(count > 6, "only {count} events");
    assert_eq!(answers(result.history()).len(), 1);
    server.assert_content().await;
}
