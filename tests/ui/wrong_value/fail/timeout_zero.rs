use toolwright::tool;

#[tool(timeout = 0)]
fn f() {}

fn main() {}
