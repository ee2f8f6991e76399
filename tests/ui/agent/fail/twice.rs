use toolwright::agent;

#[agent]
#[agent(deps = u8)]
struct Support;

fn main() {}
