use toolwright::tool;

#[tool(timeout = -1.5)]
fn f() {}

fn main() {}
