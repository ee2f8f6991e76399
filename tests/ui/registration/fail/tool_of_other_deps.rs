use toolwright::{RunContext, agent, tool};

struct Db;
struct Cache;

#[agent(deps = Db)]
struct Support;

#[tool(agent = Support)]
fn find(_ctx: &RunContext<Cache>, _name: String) {}

fn main() {}
