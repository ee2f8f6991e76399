use toolwright::tool;

#[tool(strict, strict = false)]
fn f() {}

fn main() {}
