use toolwright::{RunContext, tool, toolset};

struct Store;

struct Db;

#[toolset]
impl Store {
    #[tool]
    fn find(&self, ctx: &RunContext<Db>) {
        let _ = ctx;
    }

    #[tool]
    async fn sell(&self, ctx: &RunContext<String>) {
        let _ = ctx;
    }
}

fn main() {}
