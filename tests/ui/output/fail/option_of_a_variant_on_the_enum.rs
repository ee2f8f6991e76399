use toolwright::AgentOutput;

#[derive(AgentOutput)]
#[output(name = "reply")]
enum Reply {
    Number(u8),
}

fn main() {}
