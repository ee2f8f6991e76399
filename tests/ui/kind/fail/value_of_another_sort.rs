use toolwright::tool;

#[tool(tool_kind = 3)]
fn check_stock(sku: String) -> bool {
    sku.is_empty()
}

fn main() {}
