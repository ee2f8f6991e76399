use toolwright::{RunContext, tool};

fn positive(_: &RunContext<()>, _: &i64) {}

#[tool(args_validator = positive)]
fn f(_ctx: &RunContext<()>, a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
