use toolwright::{tool, toolset};

struct Store;

#[toolset(name = stock)]
impl Store {
    #[tool]
    fn find(&self) {}

    fn into_stock(&self) {}
}

fn main() {}
