use toolwright::tool_kind;

#[tool_kind(inventory::lookup)]
struct Lookup;

fn main() {}
