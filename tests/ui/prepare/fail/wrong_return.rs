use toolwright::{RunContext, ToolDefinition, tool};

fn flag(_: &RunContext<i32>, _: ToolDefinition) -> bool {
    true
}

#[tool(prepare = flag)]
fn f(_ctx: &RunContext<i32>) {}

fn main() {}
