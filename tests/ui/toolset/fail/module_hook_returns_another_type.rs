use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::{RunContext, ToolDefinition, prepare_tools, tool};

    #[tool]
    pub fn find() {}

    #[prepare_tools]
    fn shown(_: &RunContext<()>, tools: Vec<ToolDefinition>) -> usize {
        tools.len()
    }
}

fn main() {}
