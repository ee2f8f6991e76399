use toolwright::agent;

#[agent(retries = 2)]
struct Support;

fn main() {}
