//! A function becomes a tool, and an agent offers it to a model.
//!
//! Runs offline; set `TOOLWRIGHT_MODEL=gpt-5.2` and `OPENAI_API_KEY` for a real model.

use toolwright::model::TestModel;
use toolwright::{Agent, ModelRetry, tool, tools};
use toolwright_examples::model_or;

/// What an order costs, in cents.
#[tool]
async fn order_total(
    /// The article's number.
    article: u32,
    /// How many of it.
    #[arg(default = 1)]
    quantity: u32,
) -> Result<u32, ModelRetry> {
    let price = match article {
        0 => 1250,
        1 => 499,
        _ => return Err(ModelRetry::new(format!("There is no article {article}; the articles are 0 and 1."))),
    };
    Ok(price * quantity)
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let agent = Agent::<()>::builder(model_or(TestModel::new())?)
        .instructions("You answer questions about orders.")
        .tools(tools![order_total])
        .build()?;

    let result = agent.run("What does one of article 0 cost?").await?;
    println!("\n{} request(s), {} tool call(s)", result.usage().requests, result.usage().tool_calls);
    println!("output: {}", result.output());
    Ok(())
}
