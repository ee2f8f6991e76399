use toolwright::tool;

#[tool(crate = "toolwright")]
fn f() {}

fn main() {}
