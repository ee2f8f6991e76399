use toolwright::tool;

#[tool(retires = 3)]
fn f() {}

fn main() {}
