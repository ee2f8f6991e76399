use toolwright::tool_kind;

#[tool_kind("inventory.lookup", args = &str)]
struct Lookup;

fn main() {}
