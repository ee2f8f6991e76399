use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool(type = Find)]
    fn find(&self) {}
}

fn main() {}
