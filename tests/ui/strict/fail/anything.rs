use toolwright::tool;

#[tool(strict)]
fn store(value: serde_json::Value) -> String {
    value.to_string()
}

fn main() {}
