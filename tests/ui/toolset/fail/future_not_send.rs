use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool]
    async fn find(&self) -> u8 {
        let found = std::rc::Rc::new(1);
        std::future::ready(()).await;
        *found
    }
}

fn main() {}
