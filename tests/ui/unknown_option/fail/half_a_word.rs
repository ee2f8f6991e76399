use toolwright::tool;

#[tool(retry = 3)]
fn f() {}

fn main() {}
