use toolwright::AgentOutput;

#[derive(AgentOutput)]
#[output(native, prompted)]
enum Reply {
    Number(u8),
}

fn main() {}
