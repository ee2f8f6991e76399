use toolwright::{tool, toolset};

struct Store;

#[toolset(name = stock, name = items)]
impl Store {
    #[tool]
    fn find(&self) {}
}

fn main() {}
