use toolwright::agent;

#[agent(manual = "yes")]
struct Support;

fn main() {}
