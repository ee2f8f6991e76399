use toolwright::{RunContext, output_validator};

struct Broken;

#[output_validator]
fn checked(_ctx: &RunContext<()>, _text: String) -> Result<String, Broken> {
    Err(Broken)
}

fn main() {}
