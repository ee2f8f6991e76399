//! Tools that share a value: `#[toolset]` on an `impl` block makes tools of the methods that are marked.
//!
//! The shelf is the application's own; the model looks at it and takes from it. A second block has what only the librarian may
//! do, and both give tools over the same shelf. On a module, the attribute gathers functions, and what the model is told of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, ModelRetry, tool, toolset};
use toolwright_examples::model_or;

/// Books, and how many of each there are.
struct Shelf {
    books: Mutex<BTreeMap<String, u32>>,
}

#[toolset]
impl Shelf {
    /// List the books that are there.
    #[tool(inline)]
    fn list(&self) -> Vec<String> {
        self.books().iter().filter(|(_, left)| **left > 0).map(|(title, _)| title.clone()).collect()
    }

    /// Lend a book.
    #[tool(retries = 2)]
    async fn lend(
        &self,
        /// The title, as it is listed.
        title: String,
    ) -> Result<String, ModelRetry> {
        match self.books().get_mut(&title) {
            Some(left) if *left > 0 => {
                *left -= 1;
                Ok(format!("here is {title}"))
            }
            Some(_) => Err(ModelRetry::new(format!("{title} is lent already."))),
            None => Err(ModelRetry::new("There is no such book; list them.")),
        }
    }
}

#[toolset(name = desk_toolset, id = "desk")]
impl Shelf {
    /// Put a book on the shelf.
    #[tool(inline)]
    fn shelve(&self, title: String, #[arg(default = 1)] copies: u32) -> u32 {
        let mut books = self.books();
        let left = books.entry(title).or_default();
        *left += copies;
        *left
    }
}

/// What is no shelf's: tools of a module, with what the model is told of them.
#[toolset]
mod house {
    use toolwright::{instructions, tool};

    /// Tell when the library is open.
    #[tool(inline)]
    fn opening_hours(day: String) -> &'static str {
        if day == "Sunday" { "closed" } else { "9 to 17" }
    }

    #[instructions]
    fn rules() -> &'static str {
        "Nobody borrows more than one book at a time."
    }
}

// No tools: methods of the application.
impl Shelf {
    fn books(&self) -> MutexGuard<'_, BTreeMap<String, u32>> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A model that knows what it wants, but not quite how it is called.
fn reader() -> FunctionModel {
    FunctionModel::new(|input: &ModelInput| {
        let call = |name: &str, args| {
            let call = ToolCallPart::new(name, args).with_id(format!("call_{}", input.history.len()));
            ModelResponse::new(vec![ResponsePart::ToolCall(call)])
        };
        match input.history.len() {
            1 => call("lend", json!({"title": "moby dick"})),
            3 => call("list", json!({})),
            5 => call("lend", json!({"title": "Moby-Dick"})),
            _ => ModelResponse::text("Enjoy Moby-Dick."),
        }
    })
}

/// A model that puts one book on the shelf.
fn librarian() -> FunctionModel {
    FunctionModel::new(|input: &ModelInput| match input.history.len() {
        1 => ModelResponse::new(vec![ResponsePart::ToolCall(
            ToolCallPart::new("shelve", json!({"title": "Emma"})).with_id("call_1"),
        )]),
        _ => ModelResponse::text("It is there."),
    })
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let books = [("Moby-Dick".to_owned(), 1), ("Ulysses".to_owned(), 0)];
    let shelf = Arc::new(Shelf { books: Mutex::new(books.into()) });

    let lending = Agent::<()>::builder(model_or(reader())?).toolset(shelf.toolset());
    let lending = lending.capability(house::capability()).build()?;
    println!("output: {}", lending.run("I would like to read Moby Dick.").await?.output());

    // The same shelf, and more that may be done with it.
    let desk = Agent::<()>::builder(model_or(librarian())?).toolset(shelf.toolset()).toolset(shelf.desk_toolset());
    println!("output: {}", desk.build()?.run("Emma is back.").await?.output());

    println!("on the shelf: {:?}", shelf.list());
    Ok(())
}
