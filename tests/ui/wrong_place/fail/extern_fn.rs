use toolwright::tool;

#[tool]
extern "C" fn f() {}

fn main() {}
