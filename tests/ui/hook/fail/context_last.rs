use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook(tools: Vec<ToolDefinition>, _ctx: &RunContext<()>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
