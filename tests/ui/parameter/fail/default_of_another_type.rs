use toolwright::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Count(u8);

#[tool]
fn f(#[arg(default = "many")] count: Count) -> u8 {
    count.0
}

fn main() {}
