use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::tool_kind;

#[derive(Deserialize, JsonSchema)]
struct LookupArgs {
    sku: String,
}

struct LookupResult;

#[tool_kind("inventory.lookup", args = LookupArgs, content = LookupResult)]
struct Lookup;

fn main() {}
