use toolwright::tool;

#[tool]
fn f(text: &str) -> usize {
    text.len()
}

fn main() {}
