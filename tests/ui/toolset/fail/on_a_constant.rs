use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool]
    const LIMIT: u8 = 1;

    #[tool]
    fn find(&self) {}
}

fn main() {}
