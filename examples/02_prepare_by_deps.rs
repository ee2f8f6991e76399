//! A tool decides at every step whether the model sees it, and what it reads like.

use toolwright::model::TestModel;
use toolwright::{Agent, RunContext, ToolDefinition, tool, tools};
use toolwright_examples::model_or;

/// Answer the ultimate question.
#[tool(prepare = only_if_42)]
async fn hitchhiker(
    ctx: &RunContext<i32>,
    /// The answer, in words.
    answer: String,
) -> String {
    format!("{} {answer}", ctx.deps())
}

async fn only_if_42(ctx: RunContext<i32>, tool: ToolDefinition) -> Option<ToolDefinition> {
    (*ctx.deps() == 42).then_some(tool)
}

/// Greet somebody.
#[tool(deps = i32, prepare = name_the_audience)]
async fn greet(name: String) -> String {
    format!("hello {name}")
}

fn name_the_audience(ctx: &RunContext<i32>, tool: ToolDefinition) -> ToolDefinition {
    let audience = if *ctx.deps() == 42 { "hitchhiker" } else { "stranger" };
    tool.with_parameter_description("name", format!("Name of the {audience} to greet."))
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let agent = Agent::<i32>::builder(model_or(TestModel::new())?).tools(tools![hitchhiker, greet]).build()?;

    for deps in [41, 42] {
        println!("-- with {deps}");
        let result = agent.run("What is it?").deps(deps).await?;
        println!("output: {}\n", result.output());
    }
    Ok(())
}
