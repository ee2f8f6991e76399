use toolwright::{RunContext, ToolDefinition, agent, prepare_tools};

#[agent]
struct Support;

#[prepare_tools(agent = Support)]
fn hook(_ctx: &RunContext<()>, tools: Vec<ToolDefinition>) -> impl Iterator<Item = ToolDefinition> {
    tools.into_iter()
}

fn main() {}
