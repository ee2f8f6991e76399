use toolwright::agent;

#[agent(deps = 3)]
struct Support;

fn main() {}
