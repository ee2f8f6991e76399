use futures_util::stream::{self, StreamExt as _};
use toolwright::{FunctionToolset, tool, toolset};

struct Store(Vec<String>);

#[toolset]
impl Store {
    /// Of rust-sdk#1092: futures of closures over what the value holds.
    #[tool]
    async fn lengths(&self, prefix: String) -> Vec<usize> {
        let prefix = &prefix;
        let futures = self.0.iter().map(|name| async move { format!("{prefix}{name}").len() });
        stream::iter(futures).buffer_unordered(2).collect().await
    }
}

fn main() {
    let _: FunctionToolset<()> = Store(vec!["a".to_owned()]).into_toolset();
}
