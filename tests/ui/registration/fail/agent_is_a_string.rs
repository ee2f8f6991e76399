use toolwright::tool;

#[tool(agent = "Support")]
fn find() {}

fn main() {}
