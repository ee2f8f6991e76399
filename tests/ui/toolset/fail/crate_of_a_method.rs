use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool(crate = toolwright)]
    fn find(&self) {}
}

fn main() {}
