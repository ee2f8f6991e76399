use toolwright::tool;

struct Report;

#[tool]
async fn f() -> Report {
    Report
}

fn main() {}
