use std::cell::Cell;

use toolwright::{RunContext, tool};

#[tool]
fn count(ctx: &RunContext<Cell<u32>>) -> u32 {
    ctx.deps().get()
}

fn main() {}
