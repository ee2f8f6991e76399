use toolwright::tool;

#[tool("f")]
fn f() {}

fn main() {}
