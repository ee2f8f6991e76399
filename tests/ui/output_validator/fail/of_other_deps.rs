use toolwright::{RunContext, agent, output_validator};

#[agent(deps = u8)]
struct Support;

#[output_validator(agent = Support)]
async fn checked(_ctx: RunContext<u16>, text: String) -> String {
    text
}

fn main() {}
