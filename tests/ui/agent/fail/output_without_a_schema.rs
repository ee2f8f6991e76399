use toolwright::agent;

#[derive(serde::Deserialize)]
struct Reply;

#[agent(output = Reply)]
struct Support;

fn main() {}
