use toolwright::{RunContext, tool};

fn positive(_: &RunContext<()>, a: &i64) -> bool {
    *a > 0
}

#[tool(args_validator = positive)]
fn f(_ctx: &RunContext<()>, a: i64) -> i64 {
    a
}

fn main() {}
