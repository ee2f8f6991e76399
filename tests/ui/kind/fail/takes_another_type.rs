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

#[derive(Deserialize, JsonSchema)]
struct Query {
    sku: String,
}

#[tool(tool_kind = Lookup)]
fn check_stock(query: Query) -> LookupResult {
    LookupResult { in_stock: query.sku.is_empty() }
}

fn main() {}
