use toolwright::{RunContext, ToolDefinition, prepare_tools};

struct Db;

#[prepare_tools(agent = Db)]
fn hook(_ctx: &RunContext<Db>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
