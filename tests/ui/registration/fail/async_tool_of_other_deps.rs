use toolwright::{RunContext, agent, tool};

struct Db;
struct Cache;

#[agent(deps = Db)]
struct Support;

#[tool(agent = Support)]
async fn find(ctx: RunContext<Cache>) -> String {
    ctx.run_step().to_string()
}

fn main() {}
