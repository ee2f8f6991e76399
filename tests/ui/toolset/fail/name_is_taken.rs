use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool]
    fn find(&self) {}

    fn toolset(&self) {}
}

fn main() {}
