use toolwright::{RunContext, tool};

#[tool]
fn f(_a: &RunContext<()>, _b: &RunContext<()>) {}

fn main() {}
