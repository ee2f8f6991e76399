use toolwright::agent;

#[agent(deps = std::cell::Cell<u8>)]
struct Support;

fn main() {}
