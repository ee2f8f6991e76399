//! One hook over all tools of an agent: it leaves tools out, and makes the others strict for one provider.

use toolwright::model::TestModel;
use toolwright::{Agent, RunContext, ToolDefinition, prepare_tools, tool, tools};
use toolwright_examples::model_or;

/// Launch a potato.
#[tool]
async fn launch_potato(target: String) -> String {
    format!("Potato launched at {target}!")
}

/// Repeat a message.
#[tool]
async fn echo(message: String) -> String {
    message
}

/// The run's dependencies: whether there is a truce.
type Truce = bool;

#[prepare_tools]
fn disarm(ctx: &RunContext<Truce>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools.into_iter().filter(|tool| !ctx.deps() || tool.name() != "launch_potato").collect()
}

#[prepare_tools]
fn strict_on_openai(ctx: &RunContext<Truce>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    if ctx.model().system() == "openai" {
        tools.into_iter().map(|tool| tool.with_strict(true)).collect()
    } else {
        tools
    }
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let agent = Agent::<Truce>::builder(model_or(TestModel::new().with_system("openai"))?)
        .tools(tools![launch_potato, echo])
        .prepare_tools(disarm)
        .prepare_tools(strict_on_openai)
        .build()?;

    for truce in [false, true] {
        println!("-- {}", if truce { "truce" } else { "no truce" });
        let result = agent.run("Do something.").deps(truce).await?;
        println!("output: {}\n", result.output());
    }
    Ok(())
}
