use toolwright::tool_kind;

#[tool_kind("inventory.lookup", arg = String)]
struct Lookup;

fn main() {}
