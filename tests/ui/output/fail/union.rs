use toolwright::AgentOutput;

#[derive(AgentOutput)]
union Number {
    small: u8,
    large: u64,
}

fn main() {}
