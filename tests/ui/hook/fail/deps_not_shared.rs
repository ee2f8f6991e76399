use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook(_ctx: &RunContext<std::cell::Cell<i32>>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
