use toolwright::{agent, tool};

#[agent]
struct Support;

#[tool(agent = Support, order = 1.5)]
fn find() {}

fn main() {}
