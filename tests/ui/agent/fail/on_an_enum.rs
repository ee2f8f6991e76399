use toolwright::agent;

#[agent]
enum Support {}

fn main() {}
