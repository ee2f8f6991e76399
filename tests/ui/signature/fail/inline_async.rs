use toolwright::tool;

#[tool(inline)]
async fn f() {}

fn main() {}
