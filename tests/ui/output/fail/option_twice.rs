use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[output(strict)]
    #[output(strict = false)]
    Number(u8),
}

fn main() {}
