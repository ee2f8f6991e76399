use toolwright::{agent, tool};

#[agent]
struct Support;

#[tool(agent = Support)]
fn echo<T: serde::Serialize>(value: T) -> T {
    value
}

fn main() {}
