use toolwright::{ToolReturn, tool};

struct Report;

#[tool]
fn f() -> ToolReturn<Report> {
    ToolReturn::new(Report)
}

fn main() {}
