mod reexport {
    pub use toolwright as tw;
}

use reexport::tw::AgentOutput as Output;

#[derive(Output)]
#[output(crate = crate::reexport::tw)]
enum Reply {
    Number(u8),
    Fields { a: u8 },
    #[text]
    Text(String),
}

fn main() {
    let _ = <Reply as Output>::spec();
}
