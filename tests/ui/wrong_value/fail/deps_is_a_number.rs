use toolwright::tool;

#[tool(deps = 3)]
fn f() {}

fn main() {}
