use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {}

fn main() {}
