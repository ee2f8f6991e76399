use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[text]
    #[file]
    Either(String),
}

fn main() {}
