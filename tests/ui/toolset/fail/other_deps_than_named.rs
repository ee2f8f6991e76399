use toolwright::{RunContext, tool, toolset};

struct Store;

struct Db;

#[toolset(deps = Db)]
impl Store {
    #[tool]
    fn find(&self, ctx: &RunContext<String>) {
        let _ = ctx;
    }
}

fn main() {}
