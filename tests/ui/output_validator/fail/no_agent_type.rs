use toolwright::{RunContext, output_validator};

struct Support;

#[output_validator(agent = Support)]
async fn checked(_ctx: RunContext<()>, text: String) -> String {
    text
}

fn main() {}
