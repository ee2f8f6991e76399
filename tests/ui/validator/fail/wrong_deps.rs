use toolwright::{RunContext, tool};

fn positive(_: &RunContext<i32>, _: &i64) {}

#[tool(args_validator = positive)]
fn f(_ctx: &RunContext<String>, a: i64) -> i64 {
    a
}

fn main() {}
