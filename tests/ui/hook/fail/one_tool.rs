use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook(_ctx: &RunContext<()>, tools: ToolDefinition) -> Vec<ToolDefinition> {
    vec![tools]
}

fn main() {}
