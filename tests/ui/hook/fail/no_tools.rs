use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook(_ctx: &RunContext<()>) -> Vec<ToolDefinition> {
    Vec::new()
}

fn main() {}
