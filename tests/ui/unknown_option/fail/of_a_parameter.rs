use toolwright::tool;

#[tool]
fn f(#[arg(defualt)] a: i64) -> i64 {
    a
}

fn main() {}
