use toolwright::tool;

#[tool(retries = 1, strict, retries = 2)]
fn f() {}

fn main() {}
