//! What another crate adds. Nothing here is called by anybody.

use desk::Desk;
use toolwright::{instructions, tool, tool_kind};

/// A kind of tools.
#[tool_kind("linked.search")]
pub struct Search;

/// Search the files.
#[tool(agent = Desk, tool_kind = "linked.search")]
fn search(word: String) -> String {
    word
}

#[tool(agent = Desk, order = -1)]
fn first() {}

#[instructions(agent = Desk)]
fn tone() -> &'static str {
    "Be brief."
}
