use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools(name = "f")]
fn f(_: &RunContext<()>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
