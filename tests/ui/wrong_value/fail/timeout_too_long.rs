use toolwright::tool;

#[tool(timeout = 1e30)]
fn f() {}

fn main() {}
