use toolwright::model::TestModel;
use toolwright::{IntoInstructions, RunContext, ToolDefinition, agent, instructions, prepare, prepare_tools, tool};

#[agent(deps = String)]
struct Support;

#[tool(agent = Support)]
fn list() -> impl serde::Serialize {
    [1, 2]
}

#[prepare_tools(agent = Support)]
fn hook(_ctx: &RunContext<String>, tools: Vec<ToolDefinition>) -> impl prepare::PreparedList + use<> {
    tools
}

#[instructions(agent = Support)]
fn rules(ctx: &RunContext<String>) -> impl IntoInstructions + use<> {
    ctx.deps().clone()
}

fn main() -> toolwright::Result<()> {
    Support::builder(TestModel::new()).build()?;
    Ok(())
}
