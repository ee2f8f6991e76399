use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[output(name = "")]
    Number(u8),
}

fn main() {}
