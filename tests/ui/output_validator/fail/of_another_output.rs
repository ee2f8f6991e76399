use toolwright::{RunContext, agent, output_validator};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Reply;

#[agent(output = Reply)]
struct Support;

#[output_validator(agent = Support)]
fn checked(_ctx: &RunContext<()>, text: String) -> String {
    text
}

fn main() {}
