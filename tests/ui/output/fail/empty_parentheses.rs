use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    Nothing(),
}

fn main() {}
