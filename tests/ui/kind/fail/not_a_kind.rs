use toolwright::tool;

struct Lookup;

#[tool(tool_kind = Lookup)]
fn check_stock(sku: String) -> bool {
    sku.is_empty()
}

fn main() {}
