use toolwright::{RunContext, ToolDefinition, agent, prepare_tools};

#[agent]
struct Support;

#[prepare_tools(agent = Support)]
fn hook(_ctx: &RunContext<()>, tools: Vec<ToolDefinition>) -> bool {
    tools.is_empty()
}

fn main() {}
