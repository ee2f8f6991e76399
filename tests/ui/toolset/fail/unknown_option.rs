use toolwright::{tool, toolset};

struct Store;

#[toolset(nme = stock)]
impl Store {
    #[tool]
    fn find(&self) {}
}

fn main() {}
