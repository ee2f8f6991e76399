use toolwright::{RunContext, instructions};

struct Broken;

#[instructions]
fn rules(_ctx: &RunContext<()>) -> Result<String, Broken> {
    Err(Broken)
}

fn main() {}
