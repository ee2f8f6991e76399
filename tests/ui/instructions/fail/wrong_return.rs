use toolwright::{RunContext, instructions};

#[instructions]
fn rules(ctx: &RunContext<()>) -> u32 {
    ctx.run_step()
}

fn main() {}
