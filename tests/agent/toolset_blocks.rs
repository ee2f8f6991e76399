//! Methods of a value as tools of one toolset.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use toolwright::message::{ModelResponse, Outcome, ToolCallPart};
use toolwright::model::TestModel;
use toolwright::{
    Agent, CancellationToken, FunctionToolset, MaybeDeferred, ModelRetry, RunContext, Tool, ToolDefinition, ToolsetExt,
    tool, tool_kind, tools, toolset,
};

use crate::support::{answers, calls, done, returns, said, script};

/// How many are left of everything.
#[derive(Default)]
struct Stock {
    left: Mutex<BTreeMap<String, u32>>,
    asked: AtomicUsize,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "nobody reads calls of the kind here")]
struct LookupArgs {
    sku: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Left {
    left: u32,
}

#[tool_kind("blocks.lookup", args = LookupArgs, content = Left)]
struct Lookup;

#[toolset]
impl Stock {
    const PATIENCE: Duration = Duration::from_millis(20);

    /// Tells how many are left.
    ///
    /// # Arguments
    ///
    /// * `sku` - which article
    #[tool(tool_kind = Lookup, retries = 2)]
    async fn look_up(&self, ctx: &RunContext<u32>, sku: String) -> Result<Left, ModelRetry> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner).get(&sku).copied();
        let left = left.ok_or_else(|| ModelRetry::new(format!("There is no {sku}.")))?;
        Ok(Left { left: left + ctx.deps() })
    }

    /// Takes some away.
    #[tool(args_validator = Self::is_some, prepare = Self::for_few)]
    fn take(
        &self,
        sku: String,
        /// How many.
        #[arg(default = Self::least())]
        amount: u32,
    ) -> u32 {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let left = left.entry(sku).or_default();
        *left = left.saturating_sub(amount);
        *left
    }

    fn least() -> u32 {
        1
    }

    fn is_some(_: &RunContext<u32>, _: String, amount: u32) -> Result<(), ModelRetry> {
        if amount == 0 { Err(ModelRetry::new("Take at least one.")) } else { Ok(()) }
    }

    fn for_few(ctx: &RunContext<u32>, tool: ToolDefinition) -> Option<ToolDefinition> {
        (*ctx.deps() < 10).then_some(tool)
    }

    #[tool(timeout = Self::PATIENCE)]
    async fn count(self: Arc<Self>) -> usize {
        std::future::pending::<()>().await;
        Arc::strong_count(&self)
    }

    #[tool(inline)]
    fn unit() -> &'static str {
        "piece"
    }

    /// No tool.
    fn filled(amounts: &[(&str, u32)]) -> Self {
        let left = amounts.iter().map(|(sku, left)| ((*sku).to_owned(), *left)).collect();
        Self { left: Mutex::new(left), ..Self::default() }
    }
}

fn call(name: &str, args: serde_json::Value) -> ModelResponse {
    ModelResponse::new(vec![ToolCallPart::new(name, args).with_id("1").into()])
}

/// What became of one call of a tool of the stock: its outcome, and what the model was told.
async fn answer(stock: &Arc<Stock>, name: &str, args: serde_json::Value) -> (Outcome, String) {
    let model = script(vec![call(name, args), done()]);
    let agent = Agent::<u32>::builder(model).toolset(stock.toolset()).build().expect("an agent");
    let result = agent.run("Go.").deps(1).await.expect("a run");
    let answer = returns(result.history()).remove(0);
    (answer.outcome, said(&answer.content))
}

#[tokio::test]
async fn methods_are_tools_and_stay_methods() {
    let stock = Arc::new(Stock::filled(&[("A", 3)]));
    assert_eq!(answer(&stock, "take", json!({"sku": "A", "amount": 2})).await, (Outcome::Success, "1".to_owned()));
    assert_eq!(stock.take("A".to_owned(), 1), 0);
    assert_eq!(answer(&stock, "unit", json!({})).await, (Outcome::Success, "piece".to_owned()));
    let left = stock.look_up(&RunContext::detached(5), "A".to_owned()).await.expect("an article");
    assert_eq!(left, Left { left: 5 });
}

#[tokio::test]
async fn tools_share_the_value_with_the_application_and_with_each_other() {
    let stock = Arc::new(Stock::default());
    assert_eq!(answer(&stock, "look_up", json!({"sku": "B"})).await.0, Outcome::Retried);
    stock.left.lock().expect("no panic").insert("B".to_owned(), 4);
    let expected = (Outcome::Success, r#"{"left":5}"#.to_owned());
    assert_eq!(answer(&stock, "look_up", json!({"sku": "B"})).await, expected);
    assert_eq!(stock.asked.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn what_is_said_of_methods_is_said_to_the_model() {
    let agent = Agent::<u32>::builder(script(vec![done()])).toolset(Stock::default().into_toolset());
    let agent = agent.build().expect("an agent");
    let seen = async |deps| agent.run("Go.").deps(deps).await.expect("a run").steps()[0].function_tools.clone();
    let names = |tools: &[ToolDefinition]| tools.iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>();
    let tools = seen(1).await;
    assert_eq!(names(&tools), ["look_up", "take", "count", "unit"]);
    assert_eq!(names(&seen(10).await), ["look_up", "count", "unit"]);
    let look_up = &tools[0];
    assert_eq!(look_up.description(), Some("Tells how many are left."));
    assert_eq!(look_up.parameters()["properties"]["sku"]["description"], "which article");
    assert_eq!(look_up.tool_kind(), Some("blocks.lookup"));
    assert_eq!(look_up.toolset_id(), Some("Stock"));
}

#[tokio::test(start_paused = true)]
async fn arguments_defaults_validators_and_timeouts_are_those_of_functions() {
    let stock = Arc::new(Stock::filled(&[("A", 9)]));
    assert_eq!(answer(&stock, "take", json!({"sku": "A"})).await, (Outcome::Success, "8".to_owned()));
    assert_eq!(answer(&stock, "take", json!({"sku": "A", "amount": "3"})).await, (Outcome::Success, "5".to_owned()));
    let (outcome, told) = answer(&stock, "take", json!({"sku": "A", "amount": 0})).await;
    assert!(outcome == Outcome::Retried && told.contains("Take at least one."), "{told}");
    let (outcome, told) = answer(&stock, "take", json!({"sku": 1, "much": 2})).await;
    assert!(outcome == Outcome::Retried && told.contains("sku") && told.contains("much"), "{told}");
    let (outcome, told) = answer(&stock, "count", json!({})).await;
    assert!(outcome == Outcome::Retried && told.contains("Timed out"), "{told}");
    assert_eq!(stock.left.lock().expect("no panic")["A"], 5);
    assert_eq!(Arc::strong_count(&stock), 1, "a call that was stopped keeps the value");
}

/// A value that waits, and may be asked by many.
struct Desk<T> {
    greeting: T,
    served: Arc<AtomicUsize>,
}

#[toolset(id = "desk")]
impl<T: AsRef<str> + Send + Sync> Desk<T> {
    /// Greets.
    #[tool]
    async fn greet(&self) -> String {
        self.served.fetch_add(1, Ordering::Relaxed);
        self.greeting.as_ref().to_owned()
    }

    #[tool(requires_approval)]
    async fn pay(&self, amount: u32) -> u32 {
        self.served.fetch_add(1, Ordering::Relaxed);
        amount
    }
}

#[toolset(name = back_office)]
impl<T: AsRef<str> + Send + Sync> Desk<T> {
    /// Never comes back.
    #[tool]
    async fn file(self: &Arc<Self>) {
        self.served.fetch_add(1, Ordering::Relaxed);
        std::future::pending().await
    }
}

fn desk<T>(greeting: T) -> Arc<Desk<T>> {
    Arc::new(Desk { greeting, served: Arc::default() })
}

#[tokio::test]
async fn blocks_of_one_type_give_a_toolset_each_over_the_same_value() {
    let desk = desk("hello");
    let agent = Agent::<()>::builder(script(vec![calls(&[("greet", "1"), ("back_greet", "2")]), done()]))
        .toolset(desk.toolset())
        .toolset(desk.back_office())
        .toolset(desk.toolset().prefixed("back"))
        .build()
        .expect("an agent");
    let result = agent.run("Go.").await.expect("a run");
    let expected = [("1".to_owned(), Outcome::Success), ("2".to_owned(), Outcome::Success)];
    assert_eq!(answers(result.history()), expected);
    assert_eq!(desk.served.load(Ordering::Relaxed), 2);
    let names: Vec<_> = result.steps()[0].function_tools.iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names, ["greet", "pay", "file", "back_greet", "back_pay"]);
}

#[tokio::test]
async fn a_clash_names_the_toolsets() {
    let agent = Agent::<()>::builder(script(vec![done()])).toolset(desk("a").toolset()).toolset(desk("b").toolset());
    let error = agent.build().expect("an agent").run("Go.").await.expect_err("two of one name");
    assert!(error.to_string().contains("toolset `desk`") && error.to_string().contains("`greet`"), "{error}");
}

#[tokio::test]
async fn each_instance_and_each_type_has_tools_of_its_own() {
    let agent =
        Agent::<()>::builder(script(vec![calls(&[("a_greet", "1"), ("b_greet", "2"), ("c_greet", "3")]), done()]))
            .toolset(desk("hello").toolset().prefixed("a"))
            .toolset(desk("good morning").toolset().prefixed("b"))
            .toolset(desk(String::from("good evening")).toolset().prefixed("c"))
            .build()
            .expect("an agent");
    let result = agent.run("Go.").await.expect("a run");
    let told: Vec<_> = returns(result.history()).iter().map(|part| said(&part.content)).collect();
    assert_eq!(told, ["hello", "good morning", "good evening"]);
}

#[tokio::test]
async fn a_call_waits_for_approval_and_then_reaches_the_value() {
    let desk = desk("hello");
    let agent = Agent::<()>::builder(script(vec![call("pay", json!({"amount": 7})), done()]))
        .toolset(desk.toolset())
        .allow_deferred()
        .build()
        .expect("an agent");
    let paused = agent.run("Go.").await.expect("a run");
    let history = paused.history().clone();
    let MaybeDeferred::Deferred(requests) = paused.into_output() else { panic!("nothing waits") };
    assert_eq!(desk.served.load(Ordering::Relaxed), 0);
    let results = requests.approve(&requests.approvals[0].tool_call_id).expect("an approval");
    let result = agent.resume(history).results(results).await.expect("a run");
    assert_eq!(said(&returns(result.history())[0].content), "7");
    assert_eq!(desk.served.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_lets_go_of_the_value() {
    let desk = desk("hello");
    let agent = Agent::<()>::builder(script(vec![calls(&[("file", "1")]), done()]))
        .toolset(desk.back_office())
        .build()
        .expect("an agent");
    let token = CancellationToken::new();
    let stop = token.clone();
    let cancel = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stop.cancel();
    };
    let (ended, ()) = tokio::join!(agent.run("Go.").cancel_on(token).into_future(), cancel);
    assert!(ended.expect_err("cancelled").is_cancelled());
    assert_eq!(desk.served.load(Ordering::Relaxed), 1);
    drop(agent);
    assert_eq!(Arc::strong_count(&desk), 1);
}

#[test]
fn a_toolset_that_is_dropped_drops_its_value() {
    let served: Arc<AtomicUsize> = Arc::default();
    let toolset: FunctionToolset<()> = Desk { greeting: "hello", served: served.clone() }.into_toolset();
    assert_eq!(Arc::strong_count(&served), 2);
    drop(toolset);
    assert_eq!(Arc::strong_count(&served), 1);
}

/// A hook of the agent, over methods and functions alike.
#[tokio::test]
async fn hooks_see_methods_beside_functions() {
    /// Greets, too.
    #[tool(name = "wave")]
    fn wave() -> &'static str {
        "o/"
    }
    let only_greetings = |_: &RunContext<()>, tools: Vec<ToolDefinition>| {
        tools.into_iter().filter(|tool| tool.name() != "pay").collect::<Vec<_>>()
    };
    let functions: Vec<Tool<()>> = tools![wave];
    let agent = Agent::<()>::builder(TestModel::new())
        .tools(functions)
        .toolset(desk("hello").toolset())
        .prepare_tools(only_greetings)
        .build()
        .expect("an agent");
    let result = agent.run("Go.").await.expect("a run");
    assert_eq!(result.output(), r#"{"wave":"o/","greet":"hello"}"#);
}
