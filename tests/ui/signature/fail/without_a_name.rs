use toolwright::tool;

#[tool]
fn f(_: i64) {}

fn main() {}
