use toolwright::tool;

#[tool]
fn f(#[validate(length(min = 1))] a: String) -> String {
    a
}

fn main() {}
