use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::{RunContext, instructions, tool};

    #[tool]
    pub fn find() {}

    #[instructions]
    fn rules(_: &RunContext<()>) -> u8 {
        1
    }
}

fn main() {}
