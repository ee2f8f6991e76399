use toolwright::tool;

#[tool]
fn f(#[serde(rename = "b")] a: i64) -> i64 {
    a
}

fn main() {}
