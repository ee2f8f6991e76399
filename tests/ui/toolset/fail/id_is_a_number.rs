use toolwright::{tool, toolset};

struct Store;

#[toolset(id = 3)]
impl Store {
    #[tool]
    fn find(&self) {}
}

fn main() {}
