use toolwright::tool;

#[tool]
mod tools {}

fn main() {}
