use toolwright::{tool, toolset};

struct Store;

#[toolset]
impl Store {
    #[tool(retires = 1)]
    fn find(&self) {}
}

fn main() {
    let _: toolwright::FunctionToolset<()> = Store.into_toolset();
}
