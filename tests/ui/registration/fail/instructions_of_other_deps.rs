use toolwright::{RunContext, agent, instructions};

struct Db;
struct Cache;

#[agent(deps = Db)]
struct Support;

#[instructions(agent = Support)]
fn rules(ctx: &RunContext<Cache>) -> String {
    ctx.run_step().to_string()
}

fn main() {}
