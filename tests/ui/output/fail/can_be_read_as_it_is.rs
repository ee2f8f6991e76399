use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::AgentOutput;

#[derive(Deserialize, JsonSchema, AgentOutput)]
enum Reply {
    Number(u8),
}

fn main() {}
