use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[output(name = "number")]
    Small(u8),
    #[output(name = "number")]
    Large(u64),
}

fn main() {}
