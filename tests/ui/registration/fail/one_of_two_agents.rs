use toolwright::{RunContext, agent, tool};

struct Db;
struct Cache;

#[agent(deps = Db)]
struct Support;

#[agent(deps = Cache)]
struct Sales;

#[tool(agent = [Support, Sales])]
fn find(_ctx: &RunContext<Db>) {}

fn main() {}
