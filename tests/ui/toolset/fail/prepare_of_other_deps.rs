use toolwright::{RunContext, ToolDefinition, tool, toolset};

struct Store;

struct Db;

#[toolset]
impl Store {
    #[tool(prepare = Self::shown)]
    fn find(&self, ctx: &RunContext<Db>) {
        let _ = ctx;
    }

    fn shown(_: &RunContext<String>, tool: ToolDefinition) -> ToolDefinition {
        tool
    }
}

fn main() {}
