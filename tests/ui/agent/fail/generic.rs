use toolwright::agent;

#[agent]
struct Support<T>;

fn main() {}
