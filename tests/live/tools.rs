//! The agent whose tools the server calls, and what is read from its runs.

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright::message::{History, Outcome, RequestPart};
use toolwright::provider::openai::{OpenAiChatModel, OpenAiChatModelBuilder};
use toolwright::{Agent, Model, Tool, ToolSearch, tool, tools};

/// Tell the weather of a city.
#[tool]
async fn weather(
    /// The city, in English.
    city: String,
    /// How far ahead to look.
    days: Option<u8>,
) -> String {
    tokio::task::yield_now().await;
    format!("sunny in {city} for {} days", days.unwrap_or(1))
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Currency {
    Eur,
    Nok,
}

#[derive(Serialize)]
struct Price {
    amount: f64,
    currency: Currency,
}

/// Convert money from one currency to another.
#[tool(retries = 2)]
async fn convert(#[schemars(range(min = 0))] amount: f64, from: Currency, to: Currency) -> Price {
    let rate = match (from, &to) {
        (Currency::Eur, Currency::Nok) => 11.5,
        (Currency::Nok, Currency::Eur) => 1.0 / 11.5,
        _ => 1.0,
    };
    Price { amount: amount * rate, currency: to }
}

#[derive(Deserialize, JsonSchema)]
struct Guest {
    name: String,
    vegetarian: bool,
}

/// Book a table at the restaurant.
#[tool]
fn book(day: NaiveDate, guests: Vec<Guest>) -> String {
    let names: Vec<_> = guests.iter().map(|guest| guest.name.as_str()).collect();
    let vegetarians = guests.iter().filter(|guest| guest.vegetarian).count();
    format!("{day}: {}, {vegetarians} vegetarian", names.join(", "))
}

/// A model behind the server at `url`.
pub(crate) fn model(url: &str) -> OpenAiChatModelBuilder {
    OpenAiChatModel::builder("gpt-4o").base_url(format!("{url}/v1")).api_key("sk-for-a-mock")
}

/// An agent with the three tools.
pub(crate) fn agent(model: OpenAiChatModelBuilder) -> Agent<()> {
    agent_over(model.build())
}

/// The same over a model of any provider.
pub(crate) fn agent_over(model: toolwright::Result<impl Model>) -> Agent<()> {
    let model = model.expect("a model");
    Agent::<()>::builder(model).tools(tools![weather, convert, book]).build().expect("an agent")
}

/// An agent of whose tools the model sees one, and finds the others by keywords.
pub(crate) fn agent_that_hides(model: impl Model) -> Agent<()> {
    let hide = |tool: Tool<()>| tool.map_definition(|definition| definition.with_defer_loading(true));
    let hidden: Vec<_> = tools![convert, book].into_iter().map(hide).collect();
    let agent = Agent::<()>::builder(model).tools(tools![weather]).tools(hidden);
    agent.tool_search(ToolSearch::keywords()).build().expect("an agent")
}

/// The answers to the calls of a run: tool and outcome, and what it said.
pub(crate) fn answers(history: &History) -> Vec<(&str, Outcome, String)> {
    let answers = history.request_parts().filter_map(|part| match part {
        RequestPart::ToolReturn(part) => {
            Some((part.tool_name.as_str(), part.outcome, part.content.to_json().to_string()))
        }
        _ => None,
    });
    answers.collect()
}
