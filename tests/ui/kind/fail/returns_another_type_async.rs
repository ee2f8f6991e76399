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
async fn check_stock(args: LookupArgs) -> Option<LookupResult> {
    args.sku.is_empty().then_some(LookupResult { in_stock: true })
}

fn main() {}
