use toolwright::agent;

#[agent(deps = &str)]
struct Support;

fn main() {}
