use toolwright::{agent, tool, toolset};

#[agent]
struct Support;

struct Store;

#[toolset]
impl Store {
    #[tool(agent = Support)]
    fn find(&self) {}
}

fn main() {}
