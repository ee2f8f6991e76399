use toolwright::tool;

#[tool(tool_kind = "lookup")]
fn check_stock(sku: String) -> bool {
    sku.is_empty()
}

fn main() {}
