use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool]
    fn find(&self, #[ctx] ctx: &String) {
        let _ = ctx;
    }
}

fn main() {}
