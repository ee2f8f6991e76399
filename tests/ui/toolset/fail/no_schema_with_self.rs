use toolwright::{tool, toolset};

#[derive(Default)]
struct Store;

#[toolset]
impl Store {
    #[tool]
    fn find(&self, #[arg(default)] other: Self) {
        let _ = other;
    }
}

fn main() {}
