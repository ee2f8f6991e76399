use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[text]
    Text,
}

fn main() {}
