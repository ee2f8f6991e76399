use toolwright::agent;

#[agent(name = "")]
struct Support;

fn main() {}
