use toolwright::tool;

#[tool]
fn f(#[ctx] _text: String) {}

fn main() {}
