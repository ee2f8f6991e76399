use toolwright::tool;

#[tool]
fn f(#[arg(rename = "")] a: i64) -> i64 {
    a
}

fn main() {}
