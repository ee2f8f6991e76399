use toolwright::tool;

#[tool(retries = 5_000_000_000)]
fn f() {}

fn main() {}
