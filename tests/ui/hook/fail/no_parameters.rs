use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
fn hook() -> Vec<ToolDefinition> {
    Vec::new()
}

fn main() {}
