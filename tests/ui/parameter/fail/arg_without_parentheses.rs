use toolwright::tool;

#[tool]
fn f(#[arg = "b"] a: i64) -> i64 {
    a
}

fn main() {}
