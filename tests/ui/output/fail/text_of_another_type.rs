use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[text]
    Number(u8),
}

fn main() {}
