use toolwright::model::TestModel;
use toolwright::{RunContext, ToolDefinition, agent, instructions, prepare_tools, tool, tools};

#[agent(deps = u8, manual)]
struct Support;

#[tool(agent = Support)]
fn find() {}

#[prepare_tools(agent = Support)]
fn all(_: &RunContext<u8>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

#[instructions(agent = Support)]
fn rules() -> String {
    String::new()
}

fn main() -> toolwright::Result<()> {
    let empty = Support::builder(TestModel::new()).build()?;
    assert!(format!("{:?}", empty.tools()).contains("[]"));
    let agent = Support::builder(TestModel::new())
        .tools(tools![find])
        .prepare_tools(all)
        .instructions_fn(rules)
        .build()?;
    assert!(format!("{:?}", agent.tools()).contains(r#"["find"]"#));
    Ok(())
}
