use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[output(retry = 2)]
    Number(u8),
}

fn main() {}
