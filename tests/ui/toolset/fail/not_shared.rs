use std::rc::Rc;

use toolwright::{tool, toolset};

struct Store {
    found: Rc<u8>,
}

#[toolset]
impl Store {
    #[tool]
    async fn find(&self) -> u8 {
        *self.found
    }

    #[tool]
    fn keep(&self) {}
}

fn main() {}
