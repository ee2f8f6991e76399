use toolwright::AgentOutput;

#[derive(AgentOutput)]
#[output(native)]
enum Reply {
    Number(u8),
    Name(String),
}

fn main() {}
