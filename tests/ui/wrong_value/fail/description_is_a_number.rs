use toolwright::tool;

#[tool(description = 3)]
fn f() {}

fn main() {}
