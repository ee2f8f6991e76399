use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    Numbers { all: &'static [u8] },
}

fn main() {}
