use toolwright::agent;

#[agent]
fn support() {}

fn main() {}
