use toolwright::tool;

#[tool]
fn f<T>(#[schemars(title = "T")] value: T) {
    drop(value);
}

fn main() {}
