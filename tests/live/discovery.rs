//! Hidden tools, over a server that is told how a model searches and calls.

use serde_json::{Value, json};
use toolwright::ModelSettings;
use toolwright::message::Outcome;
use toolwright::model::AnyModel;
use toolwright::provider::anthropic::AnthropicModel;
use toolwright::provider::openai::OpenAiResponsesModel;

use crate::aimock::Aimock;
use crate::tools::{agent_that_hides, answers};

/// A search by the application, in each form that providers have for it; the server knows none of their own. Each agent is a
/// test of its own to the server, for which it counts its answers anew.
fn models(url: &str) -> Vec<(&'static str, AnyModel)> {
    let scoped = |name: &str| ModelSettings::new().extra_headers(Aimock::scope(name));
    let responses = |name: &'static str| {
        let model = OpenAiResponsesModel::builder(name).base_url(format!("{url}/v1")).api_key("sk-for-a-mock");
        let as_openai = model.settings(scoped(name)).profile(|profile| {
            profile.tool_search.get_or_insert(true);
            profile.additional_tools.get_or_insert(true);
        });
        AnyModel::new(as_openai.build().expect("a model"))
    };
    let anthropic = |name: &'static str| {
        let model = AnthropicModel::builder(name).base_url(url).api_key("sk-for-a-mock").settings(scoped(name));
        AnyModel::new(model.build().expect("a model"))
    };
    let all = ["gpt-5.4", "gpt-5.2", "gpt-5.6"].map(|name| (name, responses(name)));
    all.into_iter().chain([("claude-sonnet-4-5", anthropic("claude-sonnet-4-5"))]).collect()
}

pub(crate) async fn search(server: Aimock) {
    let turn = |turn: u64, response: Value| json!({"match": {"userMessage": "Buy 2 EUR of NOK", "sequenceIndex": turn}, "response": response});
    let call =
        |name: &str, arguments: Value| json!({"toolCalls": [{"name": name, "arguments": arguments.to_string()}]});
    let fixtures = json!([
        turn(0, call("search_tools", json!({"queries": ["convert money"]}))),
        turn(1, call("convert", json!({"amount": 2, "from": "EUR", "to": "NOK"}))),
        turn(2, json!({"content": "23 NOK."})),
        {"match": {"userMessage": "And 1 EUR?"}, "response": {"content": "11.5 NOK."}},
    ]);
    server.will(fixtures).await;
    for (name, model) in models(&server.url) {
        let agent = agent_that_hides(model);
        let first = agent.run("Buy 2 EUR of NOK").await.expect("a run");
        assert_eq!(first.output(), "23 NOK.");
        let found = r#"{"discovered_tools":[{"name":"convert"}]}"#.to_owned();
        let price = r#"{"amount":23.0,"currency":"NOK"}"#.to_owned();
        let expected = [("search_tools", Outcome::Success, found), ("convert", Outcome::Success, price)];
        assert_eq!(answers(first.history()), expected, "{name}");
        let mut again = agent.run("And 1 EUR?").history(first.history().clone()).stream();
        while again.next().await.is_some() {}
        assert_eq!(again.finish().await.expect("a second run").output(), "11.5 NOK.");
        assert_eq!(server.statuses(name).await, [200; 4]);
    }
}
