use toolwright::tool;

#[tool(prepare = |_, tool| tool)]
fn f() {}

fn main() {}
