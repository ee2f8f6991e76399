//! An agent that is put together where its parts are: this program adds to one that another crate publishes, and keeps no
//! list of what it has.

use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{ModelRetry, RunContext, instructions, output_validator, tool};
use toolwright_examples::helpdesk::{Caller, Helpdesk};
use toolwright_examples::model_or;

mod disks {
    use toolwright::tool;
    use toolwright_examples::helpdesk::Helpdesk;

    /// Say how full a disk is.
    #[tool(agent = Helpdesk)]
    fn usage(disk: String) -> String {
        format!("{disk} is 97% full")
    }

    /// Erase a disk.
    #[tool(agent = Helpdesk, metadata = {"dangerous": true})]
    fn erase(disk: String) -> String {
        format!("{disk} is empty")
    }
}

/// Say what is known to be broken.
#[tool(agent = Helpdesk, order = -1)]
fn incidents(ctx: &RunContext<Caller>) -> Vec<String> {
    vec![format!("the printer on the floor of {}", ctx.deps().name)]
}

#[instructions(agent = Helpdesk)]
fn tone() -> &'static str {
    "Be brief."
}

#[output_validator(agent = Helpdesk)]
fn brief(_: &RunContext<Caller>, text: String) -> Result<String, ModelRetry> {
    if text.len() < 60 { Ok(text) } else { Err(ModelRetry::new("That was not brief.")) }
}

/// A model that does not hold to its instructions at first.
fn offline() -> FunctionModel {
    FunctionModel::new(|input: &ModelInput| match input.history.len() {
        1 => {
            println!("  told:    {}", input.instructions.as_deref().unwrap_or_default().replace("\n\n", " "));
            let call = ToolCallPart::new("usage", serde_json::json!({"disk": "C:"})).with_id("call_1");
            ModelResponse::new(vec![ResponsePart::ToolCall(call)])
        }
        3 => ModelResponse::text("I have had a thorough look at your disk, and I am afraid that it is nearly full."),
        _ => ModelResponse::text("Your disk is nearly full."),
    })
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let agent = Helpdesk::builder(model_or(offline())?).build()?;
    let caller = Caller { name: "Ada".to_owned(), is_admin: false };
    let result = agent.run("My computer is slow.").deps(caller).await?;
    println!("output: {}", result.output());
    Ok(())
}
