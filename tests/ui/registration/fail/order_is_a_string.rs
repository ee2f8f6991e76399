use toolwright::{agent, tool};

#[agent]
struct Support;

#[tool(agent = Support, order = "first")]
fn find() {}

fn main() {}
