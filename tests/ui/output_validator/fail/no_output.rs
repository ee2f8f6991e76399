use toolwright::{RunContext, output_validator};

#[output_validator]
fn checked(_ctx: &RunContext<()>) -> String {
    String::new()
}

fn main() {}
