use toolwright::{RunContext, output_validator};

#[output_validator]
fn checked(text: String, _ctx: &RunContext<()>) -> String {
    text
}

fn main() {}
