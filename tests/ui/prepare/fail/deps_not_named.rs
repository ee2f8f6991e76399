use toolwright::{RunContext, ToolDefinition, tool};

fn only_if_42(ctx: &RunContext<i32>, tool: ToolDefinition) -> Option<ToolDefinition> {
    (*ctx.deps() == 42).then_some(tool)
}

#[tool(prepare = only_if_42)]
fn f() {}

fn main() {}
