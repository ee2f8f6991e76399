use toolwright::{tool, toolset};

struct Store;

struct Query;

#[toolset]
impl Store {
    #[tool]
    fn find(&self, query: Query) {
        let _ = query;
    }
}

fn main() {}
