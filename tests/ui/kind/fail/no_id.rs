use toolwright::tool_kind;

#[tool_kind]
struct Lookup;

fn main() {}
