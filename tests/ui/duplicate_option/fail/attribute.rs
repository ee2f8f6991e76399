use toolwright::tool;

#[tool]
#[tool(strict)]
fn f() {}

fn main() {}
