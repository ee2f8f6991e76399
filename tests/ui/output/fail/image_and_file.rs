use toolwright::{AgentOutput, BinaryContent};

#[derive(AgentOutput)]
enum Reply {
    #[image]
    Picture(BinaryContent),
    #[file]
    Attachment(BinaryContent),
}

fn main() {}
