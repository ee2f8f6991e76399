use toolwright::{RunContext, tool};

struct Db;

#[tool(agent = Db)]
fn find(_ctx: &RunContext<Db>) {}

fn main() {}
