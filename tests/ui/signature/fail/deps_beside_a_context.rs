use toolwright::{RunContext, tool};

#[tool(deps = i32)]
fn f(_ctx: &RunContext<i32>) {}

fn main() {}
