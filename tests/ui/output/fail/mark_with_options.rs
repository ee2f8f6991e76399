use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[text(short)]
    Text(String),
}

fn main() {}
