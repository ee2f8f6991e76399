use toolwright::tool;

#[tool(strict sequential)]
fn f() {}

fn main() {}
