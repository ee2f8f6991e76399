use toolwright::tool;

#[tool]
fn f(value: impl Into<String>) -> String {
    value.into()
}

fn main() {}
