use toolwright::tool;

#[tool(colour = "blue")]
fn f() {}

fn main() {}
