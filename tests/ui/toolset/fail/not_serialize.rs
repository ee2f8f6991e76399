use toolwright::{tool, toolset};

struct Store;

struct Found;

#[toolset]
impl Store {
    #[tool]
    async fn find(&self) -> Found {
        Found
    }
}

fn main() {}
