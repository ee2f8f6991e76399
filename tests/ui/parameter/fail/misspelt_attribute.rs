use toolwright::tool;

#[tool]
fn f(#[args(default)] a: i64) -> i64 {
    a
}

fn main() {}
