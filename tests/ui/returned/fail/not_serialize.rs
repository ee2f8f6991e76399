use toolwright::tool;

struct Report;

#[tool]
fn f() -> Report {
    Report
}

fn main() {}
