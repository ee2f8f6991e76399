//! Builds an agent of what three crates register with it, and looks at what it has.

use desk::Desk;
use tools as _;
use toolwright::message::ModelResponse;
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::tool;

/// Write a file.
#[tool(agent = Desk)]
fn write(path: String) -> String {
    path
}

fn main() -> toolwright::Result<()> {
    let model = FunctionModel::new(|input: &ModelInput| {
        let names: Vec<&str> = input.function_tools.iter().map(|tool| tool.name()).collect();
        ModelResponse::text(format!("{names:?} {:?}", input.instructions))
    });
    // The kind of `search` is known, or the agent would not be built.
    let result = Desk::builder(model).build()?.run("What is there?").run_blocking()?;
    println!("{}", result.output());
    assert_eq!(result.output(), r#"["first", "read", "write", "search"] Some("Be brief.")"#);
    Ok(())
}
