use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::{RunContext, ToolDefinition, prepare_tools, tool};

    #[tool]
    pub fn find(ctx: &RunContext<u8>) {
        let _ = ctx;
    }

    #[prepare_tools]
    fn shown(_: &RunContext<String>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
        tools
    }
}

fn main() {}
