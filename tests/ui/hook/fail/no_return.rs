use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook(_ctx: &RunContext<()>, tools: Vec<ToolDefinition>) {
    drop(tools);
}

fn main() {}
