//! Tools that fail in every way a tool can.

use std::error::Error as _;

use serde_json::{Map, Value, json};
use toolwright::error::BoxError;
use toolwright::message::{ModelResponse, Outcome, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, ErrorKind, FunctionToolset, ModelRetry, RawTool, ToolDefinition, ToolsetExt};

use crate::support::{answers, calls, done, echo, returns, script, tool};

#[tokio::test]
async fn a_tool_that_panics_ends_the_run_with_an_error_that_names_it() {
    for panics in [
        tool("bad", |_| async { panic!("no disk") }),
        RawTool::blocking(ToolDefinition::new("bad"), |_, _| -> Result<Value, BoxError> { panic!("no disk") }).into(),
    ] {
        let model = script(vec![calls(&[("echo", "1"), ("bad", "2")]), done()]);
        let agent = Agent::<()>::builder(model).tools([echo("echo"), panics]).build().expect("agent");
        let error = agent.run("Go.").await.expect_err("panicked");
        assert_eq!(error.kind(), ErrorKind::Tool);
        assert!(error.to_string().contains("`bad`"), "{error}");
        assert!(error.source().expect("source").to_string().contains("no disk"));
        assert_eq!(answers(error.history().expect("history")), [("1".to_owned(), Outcome::Success)]);
    }
}

#[tokio::test]
async fn a_validator_that_panics_does_the_same() {
    let raw = RawTool::new(ToolDefinition::new("t"), |_, _| async { Ok::<_, BoxError>(json!(1)) })
        .args_validator(|_: &toolwright::RunContext<()>, _: &Map<String, Value>| -> () { panic!("odd") });
    let agent = Agent::<()>::builder(script(vec![calls(&[("t", "1")]), done()])).tool(raw).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("panicked");
    assert!(error.to_string().contains("validator of tool `t`"), "{error}");
}

#[tokio::test]
async fn a_wrapped_retry_is_still_a_retry() {
    #[derive(Debug)]
    struct Wrapped(ModelRetry);
    impl std::fmt::Display for Wrapped {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("wrapped")
        }
    }
    impl std::error::Error for Wrapped {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    let again = tool("t", |_| async { Err(Wrapped(ModelRetry::new("another city")).into()) });
    let agent = Agent::<()>::builder(script(vec![calls(&[("t", "1")]), done()])).tool(again).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let part = returns(result.history()).remove(0);
    assert_eq!(part.outcome, Outcome::Retried);
    assert_eq!(part.content.to_json().text(), "\"another city\"");
}

#[tokio::test]
async fn an_exhausted_budget_names_tool_and_limit_and_keeps_the_cause() {
    let again = tool("picky", |_| async { Err(ModelRetry::new("no").into()) });
    let agent = Agent::<()>::builder(script(vec![calls(&[("picky", "1")])])).tool(again).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("exhausted");
    assert_eq!(error.kind(), ErrorKind::ModelBehavior);
    assert!(error.to_string().contains("Tool 'picky' exceeded max retries count of 1"), "{error}");
    assert_eq!(error.source().expect("source").to_string(), "no");
}

#[tokio::test]
async fn arguments_cut_off_by_the_token_limit_end_in_an_error_of_their_own() {
    let model = FunctionModel::new(|_: &ModelInput| {
        let mut response = ModelResponse::new(vec![ResponsePart::ToolCall(
            ToolCallPart::new("t", toolwright::message::Arguments::from_text("{\"x\": \"aaa")).with_id("1"),
        )]);
        response.finish_reason = Some(toolwright::message::FinishReason::Length);
        response
    });
    let agent = Agent::<()>::builder(model).tool(echo("t")).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("cut off");
    assert!(error.to_string().contains("max_tokens"), "{error}");
}

#[tokio::test]
async fn a_clash_names_both_toolsets_and_a_prefix_mends_it() {
    let set = |id: &str| FunctionToolset::<()>::new().with_id(id).with_tools([echo("search")]);
    let agent = |one: toolwright::toolset::AnyToolset<()>| {
        Agent::<()>::builder(script(vec![done()])).toolset(one).toolset(set("two")).build().expect("agent")
    };
    let error = agent(set("one").boxed()).run("Go.").await.expect_err("clash");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    for word in ["`search`", "`one`", "`two`", "prefixed"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    agent(set("one").prefixed("one").boxed()).run("Go.").await.expect("prefixed");
}

#[tokio::test]
async fn swapped_names_reach_the_right_tools() {
    let set = FunctionToolset::<()>::new().with_tools([echo("a"), echo("b")]).renamed([("a", "b"), ("b", "a")]);
    let model = script(vec![calls(&[("a", "1")]), done()]);
    let agent = Agent::<()>::builder(model).toolset(set).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(returns(result.history()).remove(0).content.to_json().text(), "\"b\"");
}

#[test]
fn two_own_tools_of_one_name_are_found_when_the_agent_is_built() {
    let error = Agent::<()>::builder(script(vec![done()])).tools([echo("a"), echo("a")]).build().expect_err("clash");
    assert!(error.to_string().contains("`a`"), "{error}");
}

#[tokio::test]
async fn empty_and_repeated_ids_are_seen_to() {
    let agent = |response| Agent::<()>::builder(script(vec![response, done()])).tool(echo("t")).build().expect("agent");
    let result = agent(calls(&[("t", "")])).run("Go.").await.expect("run");
    let id = returns(result.history()).remove(0).tool_call_id;
    assert!(!id.is_empty());
    let error = agent(calls(&[("t", "x"), ("t", "x")])).run("Go.").await.expect_err("repeated");
    assert_eq!(error.kind(), ErrorKind::ModelBehavior);
    assert!(error.to_string().contains("`x`"), "{error}");
}
