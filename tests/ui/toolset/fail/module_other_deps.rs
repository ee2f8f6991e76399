use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::{RunContext, tool};

    #[tool]
    pub fn find(ctx: &RunContext<u8>) {
        let _ = ctx;
    }

    #[tool]
    pub async fn sell(ctx: &RunContext<String>) {
        let _ = ctx;
    }
}

fn main() {}
