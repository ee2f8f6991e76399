use toolwright::{agent, tool};

#[agent]
struct Support;

const LAST: usize = 9;

#[tool(agent = Support, order = LAST)]
fn find() {}

fn main() {}
