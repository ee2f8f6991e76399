//! Names that are words of the language.

use toolwright::{Tool, tool, tools};

/// Move something.
///
/// # Arguments
///
/// * `type` - what to move
#[tool]
fn r#move(r#type: String, #[arg(rename = "where")] to: String) -> String {
    format!("{} to {to}", r#type)
}

fn main() {
    let tools: Vec<Tool<()>> = tools![r#move];
    assert_eq!(tools[0].name(), "move");
    let parameters = tools[0].definition().parameters();
    assert_eq!(parameters["properties"]["type"]["description"], "what to move");
    assert_eq!(parameters["required"], serde_json::json!(["type", "where"]));
    assert_eq!(r#move("it".to_owned(), "here".to_owned()), "it to here");
}
