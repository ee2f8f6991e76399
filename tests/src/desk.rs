//! An agent that other crates register with, and what this one registers.

use toolwright::{RunContext, ToolDefinition, agent, instructions, prepare_tools, tool};

/// What the desk's tools need.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Files {
    /// Where the files are.
    pub folder: String,
}

impl Files {
    /// Files in a folder.
    #[must_use]
    pub fn in_folder(folder: impl Into<String>) -> Self {
        Self { folder: folder.into() }
    }
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
fn write(ctx: &RunContext<Files>, path: String) -> String {
    format!("{}/{path}", ctx.deps().folder)
}

/// Delete a file.
#[tool(agent = Desk, order = -1)]
async fn delete(path: String) -> String {
    path
}

/// The last of the hooks.
#[prepare_tools(agent = Desk, order = 9)]
fn told(_: &RunContext<Files>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    let told = |tool: ToolDefinition| {
        let description = format!("{} (desk)", tool.description().unwrap_or_default());
        tool.with_description(description)
    };
    tools.into_iter().map(told).collect()
}

#[instructions(agent = Desk)]
fn politeness() -> &'static str {
    "Be polite."
}
