//! An agent that other crates register with, and what this one registers.

use toolwright::{RunContext, ToolDefinition, agent, instructions, prepare_tools, tool};

/// What the desk's tools need.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Files {
    /// Whether tools that write are offered.
    pub writable: bool,
}

/// Works with files.
#[agent(deps = Files)]
#[non_exhaustive]
pub struct Desk;

/// Read a file.
#[tool(agent = Desk)]
fn read(path: String) -> String {
    path
}

/// Write a file.
#[tool(agent = Desk)]
fn write(_ctx: &RunContext<Files>, path: String) -> String {
    path
}

/// Delete a file.
#[tool(agent = Desk, order = -1)]
async fn delete(path: String) -> String {
    path
}

#[prepare_tools(agent = Desk, order = 1)]
fn no_deletion(_: &RunContext<Files>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools.into_iter().filter(|tool| tool.name() != "delete").collect()
}

#[instructions(agent = Desk)]
fn politeness() -> &'static str {
    "Be polite."
}
