//! Many tools, few of them shown: the model searches for what it needs, and another tool reveals what belongs to it. What
//! was found stays found, in the next run over the same history, too.

use serde_json::json;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, FunctionToolset, ToolReturn, ToolSearch, ToolsetExt, tool, tools};
use toolwright_examples::model_or;

/// Create an invoice for a customer.
#[tool]
async fn create_invoice(
    /// Who is to pay.
    customer: String,
    /// How much, in cents.
    amount: u64,
) -> String {
    format!("invoice 17: {customer} owes {amount}")
}

/// Cancel an invoice that was sent by mistake.
#[tool]
async fn cancel_invoice(
    /// Its number.
    number: u32,
) -> String {
    format!("invoice {number} is cancelled")
}

/// Measure the temperature in the cellar.
#[tool]
async fn cellar_temperature() -> f64 {
    11.5
}

/// Open the archive of old letters.
#[tool]
async fn open_archive() -> ToolReturn<&'static str> {
    ToolReturn::new("it is open").reveal(["read_letter"])
}

/// Read a letter from the archive.
#[tool(defer_loading)]
async fn read_letter(
    /// The year in which it was written.
    year: u16,
) -> String {
    format!("In {year} they paid at once.")
}

/// A model that looks for a tool before it calls one.
fn offline() -> FunctionModel {
    FunctionModel::new(|input: &ModelInput| {
        let call = |name: &str, args| ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new(name, args))]);
        match input.history.len() {
            1 => call("search_tools", json!({"queries": ["create an invoice", "cancel an invoice"]})),
            3 => call("create_invoice", json!({"customer": "Ada", "amount": 500})),
            5 => call("open_archive", json!({})),
            7 => call("read_letter", json!({"year": 1843})),
            9 => ModelResponse::text("Ada will pay at once: she always did."),
            11 => call("cancel_invoice", json!({"number": 17})),
            _ => ModelResponse::text("Done."),
        }
    })
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    // Hides all tools of the toolset; `#[tool(defer_loading)]` hides one.
    let office = FunctionToolset::new().with_tools(tools![create_invoice, cancel_invoice, cellar_temperature]);
    let agent = Agent::<()>::builder(model_or(offline())?)
        .tools(tools![open_archive, read_letter])
        .toolset(office.defer_loading(None))
        .tool_search(ToolSearch::keywords().max_results(2))
        .build()?;

    let first = agent.run("Ask Ada for what she owes us. Will she pay?").await?;
    for step in first.steps() {
        let hidden: Vec<_> = step.hidden_tools.iter().map(|tool| tool.name()).collect();
        println!("step {} hid: {}", step.step, hidden.join(", "));
    }

    let second = agent.run("She has paid in cash, so cancel it.").history(first.history().clone()).await?;
    println!("output: {}", second.output());
    Ok(())
}
