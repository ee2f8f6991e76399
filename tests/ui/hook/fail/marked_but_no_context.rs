use toolwright::{ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook(#[ctx] _ctx: String, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
