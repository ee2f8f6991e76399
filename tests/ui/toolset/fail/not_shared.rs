use std::cell::Cell;

use toolwright::{tool, toolset};

struct Store {
    found: Cell<u8>,
}

#[toolset]
impl Store {
    #[tool]
    async fn find(&self) -> u8 {
        self.found.get()
    }

    #[tool]
    fn keep(&self) {}
}

fn main() {}
