use toolwright::{RunContext, tool};

fn positive(_: &RunContext<()>, _: &i64) {}

#[tool(args_validator = positive)]
fn f(_ctx: &RunContext<()>, text: String) -> String {
    text
}

fn main() {}
