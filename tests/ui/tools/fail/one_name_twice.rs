use toolwright::{Tool, tool, tools};

#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tool(name = "add")]
fn sum(all: Vec<i64>) -> i64 {
    all.iter().sum()
}

fn main() {
    let _: Vec<Tool<()>> = tools![add, sum];
}
