use toolwright::{tool, toolset};

struct Store;

#[toolset(vis = private)]
impl Store {
    #[tool]
    fn find(&self) {}
}

fn main() {}
