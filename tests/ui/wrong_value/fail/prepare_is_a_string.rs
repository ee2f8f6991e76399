use toolwright::tool;

#[tool(prepare = "only_if_42")]
fn f() {}

fn main() {}
