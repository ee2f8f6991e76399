use futures_util::stream::{self, StreamExt as _};
use toolwright::tool;

#[tool]
async fn lengths(paths: Vec<String>) -> Vec<usize> {
    // What the compiler can show to be `Send` for every lifetime takes its items by value: `into_iter()`.
    stream::iter(paths.iter().map(|path| async move { path.len() })).buffered(2).collect().await
}

fn main() {}
