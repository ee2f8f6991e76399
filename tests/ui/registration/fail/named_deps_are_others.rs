use toolwright::{RunContext, ToolDefinition, agent, tool};

#[agent(deps = u8)]
struct Support;

#[tool(agent = Support, deps = u16, prepare = shown)]
fn find() {}

fn shown(_: &RunContext<u16>, tool: ToolDefinition) -> ToolDefinition {
    tool
}

fn main() {}
