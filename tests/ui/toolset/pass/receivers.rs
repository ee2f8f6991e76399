use std::sync::Arc;

use toolwright::{FunctionToolset, RunContext, tool, toolset};

pub struct Store;

mod inner {
    #[derive(Debug, Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub(super) struct Query {
        text: String,
    }
}

#[toolset]
impl Store {
    #[tool]
    fn shared(self: &Arc<Self>, ctx: &RunContext<i64>) -> usize {
        let _ = ctx;
        Arc::strong_count(self)
    }

    #[tool]
    async fn kept(self: Arc<Self>, ctx: RunContext<i64>) -> usize {
        let _ = ctx;
        Arc::strong_count(&self)
    }

    #[tool(inline)]
    fn typed(self: &Self, #[ctx] ctx: &Ctx) {
        let _ = ctx;
    }

    #[tool]
    fn r#match(r#type: String) -> String {
        r#type
    }

    #[tool]
    async fn lent<'a>(&'a self, #[arg(default)] query: inner::Query, #[schemars(range(min = 1))] at: u8) -> &'a str {
        let _ = (query, at);
        "lent"
    }

    /// Named like what the expansion has, too.
    #[tool(requires_approval, timeout = 3, metadata = {"a": 1})]
    fn call(&self, receiver: u8, args: u8, tools: u8) -> u8 {
        receiver + args + tools
    }
}

type Ctx = RunContext<i64>;

fn main() {
    let _: FunctionToolset<i64> = Arc::new(Store).toolset();
}
