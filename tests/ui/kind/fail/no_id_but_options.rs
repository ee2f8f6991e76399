use toolwright::tool_kind;

#[tool_kind(args = String)]
struct Lookup;

fn main() {}
