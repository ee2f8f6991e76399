use toolwright::{RunContext, ToolDefinition, agent, prepare_tools};

#[agent]
struct Support;

#[prepare_tools(agent = Support)]
fn hook(_ctx: &RunContext<()>, tools: ToolDefinition) -> Vec<ToolDefinition> {
    vec![tools]
}

fn main() {}
