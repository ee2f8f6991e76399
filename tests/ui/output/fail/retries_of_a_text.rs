use toolwright::AgentOutput;

#[derive(AgentOutput)]
#[output(native)]
enum Reply {
    #[output(retries = 2)]
    Number(u8),
}

fn main() {}
