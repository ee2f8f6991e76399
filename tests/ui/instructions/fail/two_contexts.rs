use toolwright::{RunContext, instructions};

#[instructions]
fn rules(_a: &RunContext<()>, _b: &RunContext<()>) -> String {
    String::new()
}

fn main() {}
