use toolwright::tool;

#[tool]
fn f(#[cfg(unix)] a: i64) {}

fn main() {}
