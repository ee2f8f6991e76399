use toolwright::tool;

struct Report;

#[tool]
fn f() -> Result<Report, String> {
    Ok(Report)
}

fn main() {}
