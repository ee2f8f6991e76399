use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    Name(Option<&'static str>),
}

fn main() {}
