use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool]
    fn change(self: &mut std::sync::Arc<Self>) {}
}

fn main() {}
