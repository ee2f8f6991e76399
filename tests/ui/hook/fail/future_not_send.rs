use toolwright::{RunContext, ToolDefinition, prepare_tools};

#[prepare_tools]
async fn hook(_ctx: RunContext<()>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    let shared = std::rc::Rc::new(1);
    std::future::ready(()).await;
    drop(shared);
    tools
}

fn main() {}
