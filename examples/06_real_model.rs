//! A real model, by environment variable:
//!
//! ```console
//! OPENAI_API_KEY=… TOOLWRIGHT_MODEL=gpt-5.2 cargo run -p toolwright-examples --example 06_real_model
//! ```
//!
//! `OPENAI_BASE_URL` leads to any server that speaks OpenAI's Chat Completions. Without the variables the example runs
//! offline.

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::model::TestModel;
use toolwright::{Agent, ModelSettings, OutputSpec, UsageLimits, tool, tools};
use toolwright_examples::model_or;

/// The weather in a city, today.
#[tool]
async fn weather(city: String) -> String {
    format!("sunny in {city}, 21 degrees")
}

/// What to wear.
#[derive(Debug, Deserialize, JsonSchema)]
struct Advice {
    /// The garment.
    garment: String,
    /// Whether to take an umbrella.
    umbrella: bool,
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let agent = Agent::<()>::builder(model_or(TestModel::new())?)
        .instructions("Look up the weather before you answer.")
        .tools(tools![weather])
        .output(OutputSpec::<Advice>::of())
        .settings(ModelSettings::new().max_tokens(500))
        .build()?;
    let result = agent.run("What should I wear in Oslo?").limits(UsageLimits::default().requests(5)).await?;
    println!("wear: {}, umbrella: {}", result.output().garment, result.output().umbrella);
    Ok(())
}
