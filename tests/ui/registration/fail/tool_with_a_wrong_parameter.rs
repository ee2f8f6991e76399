use toolwright::{agent, tool};

#[agent]
struct Support;

struct Point;

#[tool(agent = Support)]
fn find(_place: Point) {}

fn main() {}
