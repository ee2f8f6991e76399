use toolwright::tool;

#[tool(retries = -1)]
fn f() {}

fn main() {}
