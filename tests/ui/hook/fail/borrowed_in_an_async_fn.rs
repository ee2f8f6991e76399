use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
async fn hook(_ctx: &RunContext<()>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
