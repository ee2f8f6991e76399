use std::rc::Rc;

use toolwright::{FunctionToolset, tool, toolset};

struct Store<T> {
    found: T,
}

#[toolset]
impl<T> Store<T> {
    #[tool]
    async fn find(&self) -> &'static str {
        let _ = &self.found;
        "found"
    }
}

fn main() {
    let _: FunctionToolset<()> = Store { found: Rc::new(1) }.into_toolset();
}
