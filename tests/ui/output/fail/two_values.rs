use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    Pair(u8, u8),
}

fn main() {}
