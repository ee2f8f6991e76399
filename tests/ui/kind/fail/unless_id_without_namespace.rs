use toolwright::tool;

#[tool(unless_tool_kind = "lookup")]
fn check_stock(sku: String) -> bool {
    sku.is_empty()
}

fn main() {}
