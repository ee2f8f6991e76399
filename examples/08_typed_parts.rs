//! A kind of tools that another crate defines: this one implements it under names of its own, and the other one reads the
//! calls and results as what they are, also from a stored history.
//!
//! The other crate is `toolwright_examples`; its module `stock` knows nothing of the tools here.

use serde_json::json;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, FunctionToolset, History, ToolFailed, ToolsetExt, tool, tools};
use toolwright_examples::model_or;
use toolwright_examples::stock::{Stock, StockLevel, StockQuery, stock_lines};

// Arguments or results that do not fit the kind would not compile.
/// Look into the warehouse.
#[tool(tool_kind = Stock)]
async fn count(query: StockQuery) -> Result<StockLevel, ToolFailed> {
    match query.article.as_str() {
        "A-1" => Ok(StockLevel { pieces: 12, shelf: Some("shelf 3".to_owned()) }),
        "A-2" => Ok(StockLevel { pieces: 0, shelf: None }),
        other => Err(ToolFailed::new(format!("There is no article {other}."))),
    }
}

/// Guess how much there is. It steps aside where a tool knows.
#[tool(unless_tool_kind = Stock)]
async fn guess() -> u32 {
    10
}

/// A model that asks for three articles, one of which there is not.
fn offline() -> FunctionModel {
    FunctionModel::new(|input: &ModelInput| {
        let call = |article| ResponsePart::ToolCall(ToolCallPart::new("warehouse_count", json!({"article": article})));
        match input.history.len() {
            1 => ModelResponse::new(["A-1", "A-2", "B-7"].map(call).to_vec()),
            _ => ModelResponse::text("Twelve, none, and no such article."),
        }
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let warehouse = FunctionToolset::new().with_tools(tools![count]).prefixed("warehouse");
    let agent = Agent::<()>::builder(model_or(offline())?).tools(tools![guess]).toolset(warehouse).build()?;
    let result = agent.run("How much is there of A-1, A-2 and B-7?").await?;

    println!("of the run:");
    stock_lines(result.history()).iter().for_each(|line| println!("  {line}"));

    let stored = History::from_json(&result.history().to_json())?;
    println!("of the stored history:");
    stock_lines(&stored).iter().for_each(|line| println!("  {line}"));
    Ok(())
}
