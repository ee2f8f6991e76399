use toolwright::tool_kind;

#[tool_kind("inventory.lookup")]
struct Lookup {
    sku: String,
}

fn main() {}
