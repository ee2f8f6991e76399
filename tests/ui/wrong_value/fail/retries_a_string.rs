use toolwright::tool;

#[tool(retries = "3")]
fn f() {}

fn main() {}
