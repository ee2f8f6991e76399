use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[output]
    Number(u8),
}

fn main() {}
