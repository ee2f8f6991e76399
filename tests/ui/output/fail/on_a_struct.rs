use toolwright::AgentOutput;

#[derive(AgentOutput)]
struct Fruit {
    name: String,
}

fn main() {}
