use toolwright::tool_kind;

#[tool_kind("inventory.lookup")]
struct Lookup<T>;

fn main() {}
