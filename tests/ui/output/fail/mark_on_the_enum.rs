use toolwright::AgentOutput;

#[derive(AgentOutput)]
#[text]
enum Reply {
    Text(String),
}

fn main() {}
