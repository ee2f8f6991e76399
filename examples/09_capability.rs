//! A capability: hooks around requests and calls that travel together, and a bundle that the model loads on demand.
//!
//! `Guard` decides what becomes of a call: too much money is refused before the tool runs, an error of the shop's is told to the
//! model instead of ending the run, and an answer without a word of thanks is asked for again. `orders` is only loaded when the
//! model wants it.

use serde_json::json;
use toolwright::capability::{
    Bundle, Capability, CapabilityExt, HookResult, NextRequest, NextToolExecution, NextToolValidation, ToolInvocation,
};
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, ModelRetry, RunContext, ToolFailed, ToolReturn, tool, tools};
use toolwright_examples::model_or;

/// What the shop says when it cannot do something.
#[derive(Debug)]
struct ShopError(&'static str);

impl std::fmt::Display for ShopError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for ShopError {}

/// Refund an order.
#[tool(retries = 2)]
async fn refund(
    /// The order's number.
    order: u32,
    /// How much, in cents.
    amount: u32,
) -> Result<String, ShopError> {
    match order {
        7 => Ok(format!("{amount} cents are on their way back")),
        _ => Err(ShopError("there is no such order")),
    }
}

/// Watches over refunds and manners.
struct Guard {
    most: u64,
}

impl Capability<()> for Guard {
    fn id(&self) -> Option<&str> {
        Some("guard")
    }

    async fn wrap_model_request(
        &self,
        _: &RunContext<()>,
        input: ModelInput,
        mut next: NextRequest<'_, ()>,
    ) -> HookResult<ModelResponse> {
        let response = next.run(input).await?;
        let is_rude = |part: &ResponsePart| matches!(part, ResponsePart::Text(text) if !text.content.contains("hank"));
        if response.parts.iter().any(is_rude) {
            return Err(ModelRetry::new("Thank the customer.").into());
        }
        Ok(response)
    }

    async fn wrap_tool_validation(
        &self,
        _: &RunContext<()>,
        call: ToolInvocation<'_>,
        mut next: NextToolValidation<'_, ()>,
    ) -> HookResult<()> {
        let amount = call.args.to_object().get("amount").and_then(serde_json::Value::as_u64);
        next.run(call).await?;
        if amount.is_some_and(|amount| amount > self.most) {
            return Err(ModelRetry::new(format!("Refund at most {} cents.", self.most)).into());
        }
        Ok(())
    }

    async fn wrap_tool_execution(
        &self,
        _: &RunContext<()>,
        call: ToolInvocation<'_>,
        mut next: NextToolExecution<'_, ()>,
    ) -> HookResult<ToolReturn> {
        println!("runs: {} with {}", call.tool.name(), call.args.text());
        next.run(call).await.map_err(|error| match error.downcast::<ShopError>() {
            Ok(shop) => ToolFailed::new(shop.to_string()).into(),
            Err(other) => other,
        })
    }
}

/// A model that has to be told a few things.
fn offline() -> FunctionModel {
    FunctionModel::new(|input: &ModelInput| {
        let call = |name: &str, args| {
            let call = ToolCallPart::new(name, args).with_id(format!("call_{}", input.history.len()));
            ModelResponse::new(vec![ResponsePart::ToolCall(call)])
        };
        let refund = |order: u32, amount: u32| call("refund", json!({"order": order, "amount": amount}));
        match input.history.len() {
            1 => call("load_capability", json!({"id": "orders"})),
            3 => refund(7, 90_000),
            5 => refund(8, 500),
            7 => refund(7, 500),
            9 => ModelResponse::text("You have your money."),
            _ => ModelResponse::text("Thank you for your patience: 5 euros are on their way."),
        }
    })
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let orders = Bundle::new().instructions("Refund only what was paid.").tools(tools![refund]);
    let agent = Agent::<()>::builder(model_or(offline())?)
        .instructions("You help customers.")
        .capability(Guard { most: 1_000 })
        .capability(orders.on_demand("orders", "Looks up orders and refunds them."))
        .build()?;

    let result = agent.run("I want my 5 euros for order 7 back.").await?;
    println!("output: {}", result.output());
    Ok(())
}
