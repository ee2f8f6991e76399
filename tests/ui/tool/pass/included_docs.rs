//! Documentation from elsewhere: files, constants and macros.

use toolwright::{Tool, tool, tools};

const ABOUT: &str = concat!("Version ", "1", ".");

#[doc = include_str!("../../main.rs")]
#[tool]
fn from_a_file(
    #[doc = concat!("Up to ", 10, " words.")] text: String,
) -> String {
    text
}

#[tool(description = ABOUT)]
fn from_a_constant() {}

fn main() {
    let tools: Vec<Tool<()>> = tools![from_a_file, from_a_constant];
    assert!(tools[0].definition().description().unwrap().contains("What the compiler says"));
    assert_eq!(tools[0].definition().parameters()["properties"]["text"]["description"], "Up to 10 words.");
    assert_eq!(tools[1].definition().description(), Some("Version 1."));
}
