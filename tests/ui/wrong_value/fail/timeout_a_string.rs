use toolwright::tool;

#[tool(timeout = "30s")]
fn f() {}

fn main() {}
