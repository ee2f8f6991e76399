//! Tools and hooks that are registered with an agent type.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright::error::ErrorKind;
use toolwright::message::{ModelResponse, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput, TestModel};
use toolwright::{
    Agent, FunctionToolset, ModelRetry, RegisteredAgent, RunContext, ToolDefinition, ToolsetExt, agent, instructions,
    output_validator, prepare_output_tools, prepare_tools, tool, tools,
};
use toolwright_tests::desk::{Desk, Files};

use crate::support::{done, echo, script};

/// Search the files.
#[tool(agent = Desk)]
fn search(word: String) -> String {
    word
}

#[prepare_tools(agent = Desk)]
async fn no_deletion(_: RunContext<Files>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools.into_iter().filter(|tool| tool.name() != "delete").collect()
}

#[instructions(agent = Desk, order = -3)]
async fn folder(ctx: RunContext<Files>) -> Result<String, std::fmt::Error> {
    Ok(format!("The folder is {}.", ctx.deps().folder))
}

/// A model that keeps what it is asked, and is done.
fn listening() -> (FunctionModel, Arc<Mutex<Vec<ModelInput>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = heard.clone();
    let model = FunctionModel::new(move |input: &ModelInput| {
        hearing.lock().expect("heard").push(input.clone());
        done()
    });
    (model, heard)
}

/// The names of the agent's own tools, in order.
fn own_tools<D: Send + Sync + 'static, O: Send + 'static>(agent: &Agent<D, O>) -> String {
    format!("{:?}", agent.tools())
}

#[tokio::test]
async fn an_agent_has_what_any_crate_registers_with_it() {
    let (model, heard) = listening();
    let agent = Desk::builder(model).build().expect("agent");
    assert_eq!(agent.name(), Some("Desk"));
    // By `order`, then by module: this crate's is `agent::registered`, the other's `toolwright_tests::desk`.
    assert!(own_tools(&agent).contains(r#"["delete", "search", "read", "write"]"#), "{}", own_tools(&agent));
    let files = Files::in_folder("/srv");
    agent.run("Go.").deps(files).await.expect("run");
    let heard = heard.lock().expect("heard");
    assert_eq!(heard[0].instructions.as_deref(), Some("The folder is /srv.\n\nBe polite."));
    let described: Vec<_> = heard[0].function_tools.iter().map(|tool| tool.description().expect("one")).collect();
    assert_eq!(described, ["Search the files. (desk)", "Read a file. (desk)", "Write a file. (desk)"]);
}

mod ordered {
    use super::*;

    #[agent]
    pub(super) struct Ordered;

    pub(super) mod z {
        use super::*;

        #[tool(agent = Ordered)]
        fn fifth() {}
    }

    pub(super) mod a {
        use super::*;

        #[tool(agent = Ordered)]
        fn third() {}
        #[tool(agent = Ordered)]
        fn fourth() {}
    }

    #[rustfmt::skip]
    pub(super) mod b {
        use super::*;

        #[tool(agent = Ordered, order = 7 - 9)] fn second() {} #[tool(agent = Ordered, order = i32::MAX)] fn seventh() {}
        #[tool(agent = Ordered, order = i32::MIN)] fn first() {} #[tool(agent = [Ordered], order = 1)] fn sixth() {}
    }
}

#[test]
fn the_order_is_by_number_then_by_module_then_by_line() {
    let agent = ordered::Ordered::builder(TestModel::new()).build().expect("agent");
    let expected = r#"["first", "second", "third", "fourth", "fifth", "sixth", "seventh"]"#;
    assert!(own_tools(&agent).contains(expected), "{}", own_tools(&agent));
    let again = ordered::Ordered::builder(TestModel::new()).build().expect("agent");
    assert_eq!(own_tools(&agent), own_tools(&again));
}

mod twice {
    use super::*;

    #[agent]
    pub(super) struct Twice;

    pub(super) const FIRST: u32 = line!() + 1;
    #[tool(agent = Twice)]
    fn find() {}

    pub(super) const SECOND: u32 = line!() + 1;
    #[tool(agent = Twice, name = "find")]
    fn find_again() {}
}

#[test]
fn two_tools_of_one_name_are_an_error_that_names_both_places() {
    let error = twice::Twice::builder(TestModel::new()).build().expect_err("two tools named `find`");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    let (error, file) = (error.to_string(), file!());
    assert!(error.contains("`find`"), "{error}");
    for line in [twice::FIRST, twice::SECOND] {
        assert!(error.contains(&format!("{file}:{line}")), "{error}");
    }
}

#[test]
fn a_registered_tool_that_is_added_too_is_named_once() {
    let error = Desk::builder(TestModel::new()).tools(tools![search]).build().expect_err("it is there twice");
    assert!(error.to_string().contains("twice") && error.to_string().matches(file!()).count() == 1, "{error}");
    let error = Desk::builder(TestModel::new()).tool(echo("search")).build().expect_err("two tools named `search`");
    assert!(error.to_string().contains("two tools") && error.to_string().matches(file!()).count() == 1, "{error}");
}

#[tokio::test]
async fn what_is_registered_is_where_a_builder_starts() {
    let toolset = FunctionToolset::new().with_tools([echo("more")]).prefixed("x");
    let (model, heard) = listening();
    let agent = Desk::builder(model)
        .name("office")
        .tool(echo("own"))
        .toolset(toolset)
        .instructions("Be brief.")
        .prepare_tools(|_: &RunContext<Files>, tools: Vec<ToolDefinition>| -> Vec<ToolDefinition> {
            tools.into_iter().filter(|tool| tool.name() != "write").collect()
        })
        .build()
        .expect("agent");
    assert_eq!(agent.name(), Some("office"));
    agent.run("Go.").deps(Files::in_folder("/")).await.expect("run");
    let heard = heard.lock().expect("heard");
    let names: Vec<_> = heard[0].function_tools.iter().map(ToolDefinition::name).collect();
    assert_eq!(names, ["search", "read", "own", "x_more"]);
    assert!(heard[0].instructions.as_deref().is_some_and(|text| text.ends_with("Be polite.\n\nBe brief.")));
}

#[agent(deps = u8)]
struct Day;

#[agent(deps = String)]
struct Night;

#[agent(deps = u8, manual)]
struct ByHand;

#[tool(agent = [Day, Night, ByHand])]
fn shared() {}

#[tool(agent = Night)]
fn only_at_night(ctx: &RunContext<String>) -> String {
    ctx.deps().clone()
}

#[test]
fn a_tool_can_be_of_several_agents_and_each_has_its_own() {
    fn own<A: RegisteredAgent>() -> String {
        own_tools(&A::builder(TestModel::new()).build().expect("agent"))
    }
    assert!(own::<Day>().contains(r#"["shared"]"#));
    assert!(own::<Night>().contains(r#"["shared", "only_at_night"]"#));
    assert!(own::<ByHand>().contains("[]"), "what is registered with it is left to whoever builds it");
    let by_hand = ByHand::builder(TestModel::new()).tools(tools![shared]).build().expect("agent");
    assert!(own_tools(&by_hand).contains(r#"["shared"]"#));
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Invoice {
    cents: u64,
}

#[agent(output = Invoice, name = "billing")]
struct Billing;

#[output_validator(agent = Billing, order = 1)]
async fn rounded(_: RunContext<()>, invoice: Invoice) -> Invoice {
    Invoice { cents: invoice.cents.next_multiple_of(10) }
}

#[output_validator(agent = Billing)]
fn not_free(_: &RunContext<()>, invoice: Invoice) -> Result<Invoice, ModelRetry> {
    if invoice.cents > 0 { Ok(invoice) } else { Err(ModelRetry::new("Nothing is free.")) }
}

#[prepare_output_tools(agent = Billing)]
fn described(_: &RunContext<()>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    tools.into_iter().map(|tool| tool.with_description("The invoice.")).collect()
}

#[tokio::test]
async fn outputs_and_their_hooks_are_registered_too() {
    let invoice =
        |cents: u64| ModelResponse::new(vec![ToolCallPart::new("final_result", json!({"cents": cents})).into()]);
    let agent = Billing::builder(script(vec![invoice(0), invoice(41)])).build().expect("agent");
    assert_eq!(agent.name(), Some("billing"));
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(result.usage().requests, 2, "the first invoice is refused");
    assert_eq!(result.output(), &Invoice { cents: 50 });
    assert_eq!(result.steps()[0].output_tools[0].description(), Some("The invoice."));
}

#[tokio::test]
async fn instructions_that_fail_end_the_run_and_keep_their_error() {
    async fn broken(_: RunContext<()>) -> Result<String, std::fmt::Error> {
        Err(std::fmt::Error)
    }
    let agent = Agent::<()>::builder(TestModel::new()).instructions_fn(broken).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("no instructions");
    assert!(error.to_string().contains("instructions_fn"), "{error}");
    let source = std::error::Error::source(&error).expect("a source");
    assert!(source.is::<std::fmt::Error>(), "{source}");
}

#[tokio::test(start_paused = true)]
async fn instructions_that_never_come_end_with_the_run() {
    async fn never() -> String {
        pending().await
    }
    let agent = Agent::<()>::builder(TestModel::new()).instructions_fn(never).build().expect("agent");
    let error = agent.run("Go.").deadline(Duration::from_secs(1)).await;
    assert_eq!(error.expect_err("it is late").kind(), ErrorKind::Cancelled);
}
