use toolwright::AgentOutput;

struct Fruit;

#[derive(AgentOutput)]
enum Reply {
    Order { fruit: Fruit },
}

fn main() {}
