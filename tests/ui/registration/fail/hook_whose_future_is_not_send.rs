use toolwright::{RunContext, ToolDefinition, agent, prepare_tools};

#[agent]
struct Support;

#[prepare_tools(agent = Support)]
async fn hook(_ctx: RunContext<()>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    let kept = std::rc::Rc::new(());
    std::future::ready(()).await;
    drop(kept);
    tools
}

fn main() {}
