use toolwright::instructions;

#[instructions]
fn rules() {}

fn main() {}
