use toolwright::{RunContext, output_validator};

#[output_validator]
fn checked(_ctx: &RunContext<()>, _text: String) {}

fn main() {}
