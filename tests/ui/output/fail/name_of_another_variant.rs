use toolwright::AgentOutput;

#[derive(AgentOutput)]
enum Reply {
    #[output(name = "final_result_Large")]
    Small(u8),
    Large(u64),
}

fn main() {}
