use toolwright::{RunContext, tool};

#[tool]
fn f(_ctx: &mut RunContext<()>) {}

fn main() {}
