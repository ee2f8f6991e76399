use toolwright::tool;

#[tool(strict = "yes")]
fn f() {}

fn main() {}
