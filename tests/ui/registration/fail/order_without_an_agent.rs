use toolwright::tool;

#[tool(order = 1)]
fn find() {}

fn main() {}
