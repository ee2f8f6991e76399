use toolwright::tool_kind;

#[tool_kind("lookup")]
struct Lookup;

fn main() {}
