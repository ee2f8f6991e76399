use toolwright::{RunContext, tool};

#[tool]
fn f(#[ctx] #[ctx] _ctx: &RunContext<()>) {}

fn main() {}
