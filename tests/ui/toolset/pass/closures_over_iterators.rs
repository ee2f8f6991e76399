use toolwright::{FunctionToolset, tool, toolset};

struct Store(Vec<String>);

#[toolset]
impl Store {
    /// Of rust-sdk#1092: futures of closures over what the value holds.
    #[tool]
    async fn lengths(&self, prefix: String) -> Vec<usize> {
        let futures = self.0.iter().map(|name| async { format!("{prefix}{name}").len() });
        let mut lengths = Vec::new();
        for future in futures {
            lengths.push(future.await);
        }
        lengths
    }
}

fn main() {
    let _: FunctionToolset<()> = Store(vec!["a".to_owned()]).into_toolset();
}
