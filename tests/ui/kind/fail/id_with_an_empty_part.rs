use toolwright::tool_kind;

#[tool_kind("inventory.")]
struct Lookup;

fn main() {}
