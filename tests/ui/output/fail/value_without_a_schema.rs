use toolwright::AgentOutput;

struct Fruit;

#[derive(AgentOutput)]
enum Reply {
    Fruit(Fruit),
}

fn main() {}
