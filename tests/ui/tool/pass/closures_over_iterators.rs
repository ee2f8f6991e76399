//! Futures over iterators and closures inside a tool.

use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt as _};
use toolwright::{RunContext, Tool, tool, tools};

async fn fetch(base: &str, path: &str) -> String {
    std::future::ready(()).await;
    format!("{base}/{path}")
}

/// Fetch several pages at once.
#[tool]
async fn pages(ctx: &RunContext<String>, paths: Vec<String>) -> Vec<String> {
    let base = ctx.deps().as_str();
    let borrowed = join_all(paths.iter().map(|path| async move { fetch(base, path).await })).await;
    let futures = paths.into_iter().map(|path| async move { fetch(base, &path).await });
    let mut fetched: Vec<String> = stream::iter(futures).buffer_unordered(4).collect().await;
    fetched.extend(borrowed);
    fetched
}

fn main() {
    let tools: Vec<Tool<String>> = tools![pages];
    assert_eq!(tools[0].name(), "pages");
}
