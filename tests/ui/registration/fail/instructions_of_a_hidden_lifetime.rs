use toolwright::{RunContext, agent, instructions};

type Text<'a> = &'a str;

#[agent(deps = String)]
struct Support;

#[instructions(agent = Support)]
fn rules(ctx: &RunContext<String>) -> Text<'_> {
    ctx.deps()
}

fn main() {}
