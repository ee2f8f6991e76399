use toolwright::AgentOutput;

#[derive(AgentOutput)]
#[output(prompted)]
enum Reply {
    Number(u8),
    #[text]
    Text(String),
}

fn main() {}
