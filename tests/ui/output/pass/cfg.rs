use toolwright::{AgentOutput, OutputSpec};

struct NoOutput;

#[derive(AgentOutput)]
enum Reply {
    Number(u8),
    #[cfg(any())]
    Never(NoOutput),
    #[cfg_attr(all(), text)]
    Text(String),
    Fields {
        #[cfg(any())]
        never: NoOutput,
        always: bool,
    },
}

fn main() {
    let _: OutputSpec<Reply> = Reply::spec();
    drop(NoOutput);
}
