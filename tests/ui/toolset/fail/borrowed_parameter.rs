use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool]
    fn find(&self, sku: &str) {
        let _ = sku;
    }
}

fn main() {}
