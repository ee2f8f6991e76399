use futures_util::future::join_all;
use toolwright::{FunctionToolset, tool, toolset};

struct Store(Vec<String>);

#[toolset]
impl Store {
    #[tool]
    async fn lengths(&self, prefix: String) -> Vec<usize> {
        let prefix = &prefix;
        join_all(self.0.iter().map(|name| async move { format!("{prefix}{name}").len() })).await
    }
}

fn main() {
    let _: FunctionToolset<()> = Store(vec!["a".to_owned()]).into_toolset();
}
