use toolwright::tool;

#[tool]
fn f((a, b): (i64, i64)) -> i64 {
    a + b
}

fn main() {}
