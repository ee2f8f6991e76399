use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[image]
    Picture(Vec<u8>),
}

fn main() {}
