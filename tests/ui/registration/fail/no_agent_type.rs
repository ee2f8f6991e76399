use toolwright::tool;

struct Db;

#[tool(agent = Db)]
fn find() {}

fn main() {}
