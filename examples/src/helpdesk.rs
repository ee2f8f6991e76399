//! What another crate would publish: an agent that answers questions about computers, and what it can do by itself.

use toolwright::{RunContext, ToolDefinition, agent, instructions, prepare_tools, tool};

/// Who asks.
pub struct Caller {
    /// What the company calls them.
    pub name: String,
    /// Whether they may do what cannot be undone.
    pub is_admin: bool,
}

/// Answers questions about computers.
#[agent(deps = Caller, name = "helpdesk")]
pub struct Helpdesk;

#[instructions(agent = Helpdesk)]
fn greeting(ctx: &RunContext<Caller>) -> String {
    format!("You talk to {}.", ctx.deps().name)
}

/// Restart a computer.
#[tool(agent = Helpdesk)]
async fn restart(computer: String) -> String {
    format!("{computer} restarts")
}

/// Whatever is marked as dangerous, by whichever crate, is for admins.
#[prepare_tools(agent = Helpdesk, order = 100)]
fn dangerous_for_admins(ctx: &RunContext<Caller>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    let dangerous = |tool: &ToolDefinition| tool.metadata().is_some_and(|data| data.contains_key("dangerous"));
    tools.into_iter().filter(|tool| ctx.deps().is_admin || !dangerous(tool)).collect()
}
