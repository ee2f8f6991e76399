use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[output(retries = -1)]
    Number(u8),
}

fn main() {}
