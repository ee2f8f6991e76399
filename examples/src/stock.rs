//! What another crate would publish: a kind of tools, the types that go in and out of them, and something that is done with
//! their calls and results, whoever implements the tool and whatever it is called.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright::message::{Message, RequestPart, ResponsePart};
use toolwright::{History, tool_kind};

/// What a tool of the kind is asked.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct StockQuery {
    /// The article's number.
    pub article: String,
}

/// What it answers.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct StockLevel {
    /// How many pieces there are.
    pub pieces: u32,
    /// Where they are.
    pub shelf: Option<String>,
}

/// Tools that say how much there is of an article.
#[tool_kind("toolwright_examples.stock", args = StockQuery, content = StockLevel)]
pub struct Stock;

/// What a history says of stocks, a line each.
pub fn stock_lines(history: &History) -> Vec<String> {
    let mut lines = Vec::new();
    for message in history.iter() {
        match message {
            Message::Response(response) => {
                for call in response.parts.iter().filter_map(ResponsePart::typed::<Stock>) {
                    let Some(query) = call.args() else { continue };
                    lines.push(format!("{} asks for article {}", call.part().tool_name, query.article));
                }
            }
            Message::Request(request) => {
                for answer in request.parts.iter().filter_map(RequestPart::typed::<Stock>) {
                    let StockLevel { pieces, shelf } = answer.content();
                    let place = shelf.as_deref().unwrap_or("no shelf");
                    lines.push(format!("{}: {pieces} on {place}", answer.part().tool_name));
                }
            }
            _ => {}
        }
    }
    lines
}
