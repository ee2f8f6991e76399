use toolwright::tool;

#[tool(agent = [])]
fn find() {}

fn main() {}
