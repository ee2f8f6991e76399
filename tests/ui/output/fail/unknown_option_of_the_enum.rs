use toolwright::AgentOutput;

#[derive(AgentOutput)]
#[output(promted)]
enum Reply {
    Number(u8),
}

fn main() {}
