use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::{RunContext, ToolDefinition, prepare_tools, tool};

    #[tool]
    pub fn find() {}

    #[prepare_tools(crate = toolwright)]
    fn shown(_: &RunContext<()>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
        tools
    }
}

fn main() {}
