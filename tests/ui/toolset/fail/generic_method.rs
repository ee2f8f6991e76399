use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool]
    fn echo<T: serde::Serialize>(&self, value: T) -> T {
        value
    }
}

fn main() {}
