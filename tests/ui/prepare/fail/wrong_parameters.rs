use toolwright::{RunContext, ToolDefinition, tool};

fn always(tool: ToolDefinition) -> ToolDefinition {
    tool
}

#[tool(prepare = always)]
fn f(_ctx: &RunContext<i32>) {}

fn main() {}
