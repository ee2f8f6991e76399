use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook(_ctx: &RunContext<()>, tools: Vec<ToolDefinition>, _more: i32) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
