//! What a crate would add if the program named it.

#[toolwright::tool(agent = desk::Desk)]
fn never() {}
