use toolwright::tool_kind;

#[tool_kind("inventory.lookup")]
fn lookup() {}

fn main() {}
