use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[text]
    #[output(name = "text")]
    Text(String),
}

fn main() {}
