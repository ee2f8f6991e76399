use toolwright::tool;

struct Report;

#[tool]
fn f() -> Result<String, Report> {
    Err(Report)
}

fn main() {}
