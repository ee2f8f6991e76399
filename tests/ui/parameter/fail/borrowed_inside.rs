use toolwright::tool;

#[tool]
fn f(text: Option<&'static str>) -> bool {
    text.is_some()
}

fn main() {}
