use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook(_a: &RunContext<()>, _b: &RunContext<()>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
