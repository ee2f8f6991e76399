use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[cfg_attr(all(), tool)]
    fn find(&self) {}

    #[tool]
    fn keep(&self) {}
}

fn main() {}
