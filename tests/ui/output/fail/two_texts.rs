use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[text]
    Short(String),
    #[text]
    Long(String),
}

fn main() {}
