use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool = "find"]
    fn find(&self) {}
}

fn main() {}
