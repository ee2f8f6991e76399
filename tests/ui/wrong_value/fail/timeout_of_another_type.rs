use toolwright::tool;

fn patience() -> u64 {
    30
}

#[tool(timeout = patience())]
fn f() {}

fn main() {}
