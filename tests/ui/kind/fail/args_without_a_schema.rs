use toolwright::tool_kind;

struct LookupArgs;

#[tool_kind("inventory.lookup", args = LookupArgs)]
struct Lookup;

fn main() {}
