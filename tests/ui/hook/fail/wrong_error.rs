use toolwright::{RunContext, ToolDefinition, prepare_tools};

struct Broken;

#[prepare_tools]
fn hook(_ctx: &RunContext<()>, tools: Vec<ToolDefinition>) -> Result<Vec<ToolDefinition>, Broken> {
    Ok(tools)
}

fn main() {}
