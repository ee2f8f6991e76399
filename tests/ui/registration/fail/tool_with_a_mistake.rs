use toolwright::{agent, tool};

#[agent]
struct Support;

#[tool(agent = Support, retires = 2)]
fn find() {}

fn main() {}
