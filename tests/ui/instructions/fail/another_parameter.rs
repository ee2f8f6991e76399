use toolwright::{RunContext, instructions};

#[instructions]
fn rules(_ctx: &RunContext<()>, tone: String) -> String {
    tone
}

fn main() {}
