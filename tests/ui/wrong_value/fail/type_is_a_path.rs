use toolwright::tool;

#[tool(type = tools::Search)]
fn f() {}

fn main() {}
