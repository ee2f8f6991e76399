use toolwright::tool;

#[tool]
fn f(#[arg(default)] #[arg(default = 1)] a: i64) -> i64 {
    a
}

fn main() {}
