use toolwright::{tool, toolset};

struct Store;

trait Find {
    fn find(&self);
}

#[toolset]
impl Find for Store {
    #[tool]
    fn find(&self) {}
}

fn main() {}
