use toolwright::{AgentOutput, BinaryContent};

#[derive(AgentOutput)]
enum Reply {
    #[image]
    Picture { content: BinaryContent },
}

fn main() {}
