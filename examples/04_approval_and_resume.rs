//! A run pauses until somebody has approved a payment, and goes on from a file.
//!
//! The model tries an amount that is too high, is told so without anybody being bothered, and asks for a smaller one.

use serde_json::json;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, History, MaybeDeferred, ModelRetry, RunContext, tool, tools};
use toolwright_examples::model_or;

/// Transfer money.
#[tool(deps = Limit, requires_approval, args_validator = within_limit)]
async fn transfer(
    /// To whom.
    to: String,
    /// How much, in cents.
    amount: u64,
) -> String {
    format!("transferred {amount} to {to}")
}

/// The run's dependencies: the most that may be transferred.
type Limit = u64;

fn within_limit(ctx: &RunContext<Limit>, _to: &String, amount: &u64) -> Result<(), ModelRetry> {
    if amount > ctx.deps() {
        return Err(ModelRetry::new(format!("The amount must not exceed {}.", ctx.deps())));
    }
    Ok(())
}

/// A model that asks for less when it is told to.
fn offline() -> FunctionModel {
    FunctionModel::new(|input: &ModelInput| {
        let call = |amount: u64| {
            let args = json!({"to": "Ada", "amount": amount});
            ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new("transfer", args))])
        };
        match input.history.len() {
            1 => call(5_000),
            3 => call(500),
            _ => ModelResponse::text("Done: Ada has the money."),
        }
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::<Limit>::builder(model_or(offline())?).tools(tools![transfer]).allow_deferred().build()?;

    let paused = agent.run("Send Ada what we owe her.").deps(1_000).await?;
    let stored = std::env::temp_dir().join(format!("toolwright-history-{}.json", std::process::id()));
    std::fs::write(&stored, paused.history().to_json())?;
    let MaybeDeferred::Deferred(requests) = paused.into_output() else {
        println!("nothing to approve");
        return Ok(());
    };
    for call in &requests.approvals {
        println!("waiting: {} with {}", call.tool_name, call.args.text());
    }

    // Later, perhaps in another process: an approval holds for the arguments that were shown, and for no others.
    let history = History::from_json(&std::fs::read_to_string(&stored)?)?;
    std::fs::remove_file(&stored)?;
    let result = agent.resume(history).results(requests.approve_all()).deps(1_000).await?;
    println!("output: {:?}", result.output());
    Ok(())
}
