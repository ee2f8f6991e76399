use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply<'a> {
    Text(std::borrow::Cow<'a, str>),
}

fn main() {}
