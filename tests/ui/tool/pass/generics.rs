//! Types, constants and lifetimes of a tool's own.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toolwright::{RunContext, Tool, tool, tools};

trait Storage: Send + Sync + 'static {
    fn get(&self, key: &str) -> String;
}

struct Memory;

impl Storage for Memory {
    fn get(&self, key: &str) -> String {
        key.to_uppercase()
    }
}

/// Look up a key.
#[tool]
async fn look_up<S: Storage>(ctx: &RunContext<S>, key: String) -> String {
    ctx.deps().get(&key)
}

#[tool]
fn first<T, const N: usize>(items: Vec<T>) -> Option<T>
where
    T: DeserializeOwned + Serialize + schemars::JsonSchema + Clone + Send + 'static,
{
    items.get(N).cloned()
}

#[tool]
fn compare<T>(one: T, other: T) -> bool
where
    T: DeserializeOwned + schemars::JsonSchema + Send + 'static,
    for<'x> &'x T: PartialEq,
{
    &one == &other
}

#[derive(Deserialize, Serialize, schemars::JsonSchema, Clone)]
struct Item {
    name: String,
}

fn main() {
    let tools: Vec<Tool<Memory>> = tools![look_up::<Memory>, first::<Item, 0>, compare::<u8>];
    assert_eq!(tools.iter().map(Tool::name).collect::<Vec<_>>(), ["look_up", "first", "compare"]);
}
