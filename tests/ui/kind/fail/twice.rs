use toolwright::tool_kind;

#[tool_kind("inventory.lookup")]
#[tool_kind("inventory.find")]
struct Lookup;

fn main() {}
