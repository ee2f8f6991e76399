use toolwright::tool;

#[tool]
unsafe fn f() {}

fn main() {}
