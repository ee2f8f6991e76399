use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright::{tool, tool_kind};

#[derive(Deserialize, JsonSchema)]
struct LookupArgs {
    sku: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct LookupResult {
    in_stock: bool,
}

#[tool_kind("inventory.lookup", args = LookupArgs, content = LookupResult)]
struct Lookup;

#[tool(tool_kind = Lookup)]
fn check_stock(sku: String) -> Result<bool, String> {
    Ok(sku.is_empty())
}

fn main() {}
