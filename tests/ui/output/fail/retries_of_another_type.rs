use toolwright::AgentOutput;

const RETRIES: u8 = 2;

#[derive(AgentOutput)]
enum Reply {
    #[output(retries = RETRIES)]
    Number(u8),
}

fn main() {}
