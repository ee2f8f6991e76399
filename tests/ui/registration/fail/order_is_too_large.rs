use toolwright::{agent, tool};

#[agent]
struct Support;

#[tool(agent = Support, order = 3_000_000_000)]
fn find() {}

fn main() {}
