use toolwright::{agent, tool};

#[agent]
struct Support;

#[tool(agent = [Support, Support])]
fn find() {}

fn main() {}
