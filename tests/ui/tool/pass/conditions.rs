//! `cfg` on tools and on their parameters.

use toolwright::{Tool, tool, tools};

#[tool]
fn find(
    text: String,
    #[cfg(any())] never: NotThere,
    #[cfg(all())]
    #[arg(default = 3)]
    most: u32,
) -> String {
    text.repeat(most as usize)
}

#[cfg(any())]
#[tool]
fn gone(value: NotThere) {}

#[cfg_attr(all(), tool(name = "kept"))]
fn conditional() {}

fn main() {
    let tools: Vec<Tool<()>> = tools![find, conditional];
    let properties = tools[0].definition().parameters()["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["text", "most"]);
    assert_eq!(tools[1].name(), "kept");
}
