//! An agent, and a tool of its own.

use toolwright::{agent, tool};

/// Works with files.
#[agent]
pub struct Desk;

/// Read a file.
#[tool(agent = Desk)]
fn read(path: String) -> String {
    path
}
