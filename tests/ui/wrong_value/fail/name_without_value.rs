use toolwright::tool;

#[tool(name)]
fn f() {}

fn main() {}
