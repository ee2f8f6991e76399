use toolwright::{RunContext, agent, tool};

struct Db;
struct Cache;

#[agent(deps = Db)]
struct Support;

type Ctx = RunContext<Cache>;

#[tool(agent = Support)]
fn find(#[ctx] _ctx: &Ctx) {}

fn main() {}
