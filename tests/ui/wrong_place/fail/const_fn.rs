use toolwright::tool;

#[tool]
const fn f() {}

fn main() {}
