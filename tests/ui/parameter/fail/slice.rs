use toolwright::tool;

#[tool]
fn f(bytes: &[u8]) -> usize {
    bytes.len()
}

fn main() {}
