use toolwright::{RunContext, output_validator};

#[output_validator]
fn checked(_ctx: &RunContext<()>, text: String) -> bool {
    text.is_empty()
}

fn main() {}
