use toolwright::{RunContext, tool};

#[tool]
fn f(#[ctx(deps)] _ctx: &RunContext<()>) {}

fn main() {}
