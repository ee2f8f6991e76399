use toolwright::{RunContext, tool};

type Ctx = RunContext<()>;

#[tool]
fn f(_ctx: &Ctx) {}

fn main() {}
