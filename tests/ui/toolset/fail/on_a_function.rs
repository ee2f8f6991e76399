use toolwright::toolset;

#[toolset]
fn find() {}

fn main() {}
