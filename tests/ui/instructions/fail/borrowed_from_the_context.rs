use toolwright::{RunContext, instructions};

#[instructions]
fn rules(ctx: &RunContext<String>) -> &str {
    ctx.deps()
}

fn main() {}
