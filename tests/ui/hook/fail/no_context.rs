use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook(tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
