use toolwright::{RunContext, instructions};

#[instructions]
async fn rules(ctx: &RunContext<String>) -> String {
    ctx.deps().clone()
}

fn main() {}
