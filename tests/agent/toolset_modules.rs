//! Functions of a module as one toolset, and with its hooks and instructions as one capability.

use serde_json::json;
use toolwright::capability::CapabilityExt;
use toolwright::message::{ModelResponse, ToolCallPart};
use toolwright::model::TestModel;
use toolwright::{Agent, FunctionToolset, RunContext, ToolDefinition, ToolsetExt, toolset};

use crate::support::{calls, done, returns, said, script};

/// What the runs here depend on.
pub(crate) struct Customer {
    is_adult: bool,
    is_known: bool,
}

#[toolset]
mod bank {
    use toolwright::{ModelRetry, RunContext, ToolDefinition, instructions, prepare_tools, tool};

    use super::Customer;

    const LIMIT: u32 = 100;

    /// Tells how much there is.
    #[tool]
    pub(super) async fn balance() -> u32 {
        LIMIT
    }

    /// Pays out.
    #[tool(retries = 3)]
    fn pay(ctx: &RunContext<Customer>, #[arg(default = LIMIT)] amount: u32) -> Result<u32, ModelRetry> {
        if ctx.deps().is_adult { Ok(amount) } else { Err(ModelRetry::new("Ask an adult.")) }
    }

    /// Lends, to those who are known.
    #[cfg(all())]
    #[tool(name = "lend", type = Lend)]
    fn lend_money(amount: u32) -> u32 {
        amount
    }

    #[cfg(not(all()))]
    #[tool]
    fn gamble() {}

    #[instructions]
    fn rules() -> &'static str {
        "Money is serious."
    }

    #[prepare_tools]
    fn only_known(ctx: &RunContext<Customer>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
        tools.into_iter().filter(|tool| ctx.deps().is_known || tool.name() != "lend").collect()
    }

    #[instructions]
    async fn manners(ctx: RunContext<Customer>) -> Option<String> {
        (!ctx.deps().is_adult).then(|| "Speak to a child.".to_owned())
    }

    #[prepare_tools]
    async fn marked(_: RunContext<Customer>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
        let told =
            |tool: &ToolDefinition| format!("{} ({} more)", tool.description().unwrap_or_default(), tools.len() - 1);
        tools.iter().map(|tool| tool.clone().with_description(told(tool))).collect()
    }
}

const CHILD: Customer = Customer { is_adult: false, is_known: false };
const ADULT: Customer = Customer { is_adult: true, is_known: true };

fn names(tools: &[ToolDefinition]) -> Vec<&str> {
    tools.iter().map(ToolDefinition::name).collect()
}

#[tokio::test]
async fn tools_and_hooks_keep_their_order() {
    let model = script(vec![done()]);
    let agent = Agent::<Customer>::builder(model).toolset(bank::toolset()).build().expect("an agent");
    let known = agent.run("Go.").deps(ADULT).await.expect("a run");
    let tools = &known.steps()[0].function_tools;
    assert_eq!(names(tools), ["balance", "pay", "lend"]);
    assert_eq!(tools[0].description(), Some("Tells how much there is. (2 more)"));
    let unknown = agent.run("Go.").deps(CHILD).await.expect("a run");
    let tools = &unknown.steps()[0].function_tools;
    assert_eq!(names(tools), ["balance", "pay"]);
    // The second hook was given what the first one left.
    assert_eq!(tools[1].description(), Some("Pays out. (1 more)"));
    assert_eq!(tools[0].toolset_id(), Some("bank"));
}

#[tokio::test]
async fn a_hook_of_a_module_sees_the_tools_of_the_module_alone() {
    let elsewhere = FunctionToolset::new().with_tools([crate::support::echo("lend_a_hand")]);
    let agent = Agent::<Customer>::builder(script(vec![done()])).toolset(elsewhere).toolset(bank::toolset());
    let result = agent.build().expect("an agent").run("Go.").deps(CHILD).await.expect("a run");
    assert_eq!(names(&result.steps()[0].function_tools), ["lend_a_hand", "balance", "pay"]);
    assert_eq!(result.steps()[0].function_tools[0].description(), None);
}

#[tokio::test]
async fn a_capability_brings_the_instructions_in_their_order() {
    let model = TestModel::new();
    let agent = Agent::<Customer>::builder(model.clone()).instructions("You help.").capability(bank::capability());
    let agent = agent.build().expect("an agent");
    let result = agent.run("Go.").deps(ADULT).await.expect("a run");
    assert_eq!(result.output(), r#"{"balance":100,"pay":100,"lend":0}"#);
    let told = |model: &TestModel| model.last_input().expect("a request").instructions;
    assert_eq!(told(&model).as_deref(), Some("You help.\n\nMoney is serious."));
    let agent = Agent::<Customer>::builder(model.clone().call_tools::<String>([])).capability(bank::capability());
    agent.build().expect("an agent").run("Go.").deps(CHILD).await.expect("a run");
    assert_eq!(told(&model).as_deref(), Some("Money is serious.\n\nSpeak to a child."));
}

#[tokio::test]
async fn a_module_can_be_loaded_on_demand_and_its_toolset_be_wrapped() {
    let load =
        ModelResponse::new(vec![ToolCallPart::new("load_capability", json!({"id": "bank"})).with_id("1").into()]);
    let agent = Agent::<Customer>::builder(script(vec![load, calls(&[("my_balance", "2"), ("balance", "3")]), done()]))
        .toolset(bank::toolset().prefixed("my"))
        .capability(bank::capability().on_demand("bank", "Money."))
        .build()
        .expect("an agent");
    let result = agent.run("Go.").deps(ADULT).await.expect("a run");
    let told: Vec<_> = returns(result.history()).iter().skip(1).map(|part| said(&part.content)).collect();
    assert_eq!(told, ["100", "100"]);
}

#[tokio::test]
async fn functions_of_the_module_stay_functions() {
    assert_eq!(bank::balance().await, 100);
    let _ = RunContext::detached(CHILD);
}
