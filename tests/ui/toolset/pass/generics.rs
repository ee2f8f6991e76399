use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use toolwright::{FunctionToolset, RunContext, tool, toolset};

trait Storage: Send + Sync + 'static {
    type Key: DeserializeOwned + JsonSchema + Send;

    fn get(&self, key: &Self::Key) -> Option<String>;
}

struct Letters;

impl Storage for Letters {
    type Key = char;

    fn get(&self, key: &char) -> Option<String> {
        Some(key.to_string())
    }
}

struct Store<S, D, const N: usize> {
    storage: S,
    deps: std::marker::PhantomData<fn() -> D>,
}

#[toolset]
impl<S, D, const N: usize> Store<S, D, N>
where
    S: Storage,
    D: Send + Sync + 'static,
{
    /// Finds.
    #[tool(args_validator = Self::checked)]
    async fn find(&self, ctx: &RunContext<D>, key: S::Key) -> Option<String> {
        let _ = ctx;
        self.storage.get(&key)
    }

    fn checked(_: &RunContext<D>, _: &S::Key) {}

    #[tool]
    fn most(#[arg(default = N)] at_most: usize) -> usize {
        at_most.min(N)
    }
}

fn main() {
    let store = Store::<_, u8, 3> { storage: Letters, deps: std::marker::PhantomData };
    let _: FunctionToolset<u8> = store.into_toolset();
    let shared = Arc::new(Store::<_, (), 4> { storage: Letters, deps: std::marker::PhantomData });
    let _: FunctionToolset<()> = shared.toolset();
}
