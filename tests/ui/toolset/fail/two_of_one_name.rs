use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool]
    fn find(&self) {}

    #[tool(name = "find")]
    fn look_up(&self) {}
}

fn main() {}
