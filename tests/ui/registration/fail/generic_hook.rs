use toolwright::{RunContext, ToolDefinition, agent, prepare_tools};

#[agent]
struct Support;

#[prepare_tools(agent = Support)]
fn hook<D: Send + Sync + 'static>(_: &RunContext<D>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
