use toolwright::{RunContext, ToolDefinition, prepare_output_tools};

#[prepare_output_tools]
fn hook(_ctx: &RunContext<()>, tools: Vec<ToolDefinition>) -> usize {
    tools.len()
}

fn main() {}
