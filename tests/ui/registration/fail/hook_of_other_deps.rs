use toolwright::{RunContext, ToolDefinition, agent, prepare_tools};

struct Db;
struct Cache;

#[agent(deps = Db)]
struct Support;

#[prepare_tools(agent = Support)]
fn hook(_ctx: &RunContext<Cache>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools
}

fn main() {}
