use toolwright::tool;

#[tool]
fn f(#[serde(default)] a: i64) -> i64 {
    a
}

fn main() {}
