use toolwright::tool;

#[tool(name = 3)]
fn f() {}

fn main() {}
