//! What goes wrong is marked, where it went wrong.

use std::time::Duration;

use serde_json::{Map, Value, json};
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::FunctionModel;
use toolwright::{
    Agent, Error, ModelRetry, OutputSpec, OutputTool, RawTool, Retries, RunContext, ToolDefinition, ToolFailed,
    UsageLimits,
};

use super::collector::{Collector, Span};
use crate::support::{calls, done, echo, script, tool};

fn retry(span: &Span, of: &str) -> [Option<String>; 3] {
    let get = |field| span.fields.get(&format!("toolwright.{of}.retry.{field}")).map(str::to_owned);
    [get("cause"), get("attempt"), get("max_retries")]
}

fn some(values: [&str; 3]) -> [Option<String>; 3] {
    values.map(|value| Some(value.to_owned()))
}

#[tokio::test]
async fn a_call_that_is_to_be_made_again_says_so_until_the_budget_is_gone() {
    let spans = Collector::new();
    let picky = tool("picky", |_: RunContext<()>| async { Err(ModelRetry::new("Not like that.").into()) });
    let agent = Agent::<()>::builder(script(vec![calls(&[("picky", "1")])]))
        .name("helper")
        .tool(picky)
        .retries(Retries::tools(1))
        .build()
        .expect("agent");
    agent.run("Go.").await.expect_err("it never works");
    assert_eq!(
        spans.tree(),
        "invoke_agent helper ! model_behavior\n  chat function\n  execute_tool picky ! model_retry\n  chat function\n  \
         execute_tool picky ! model_retry\n"
    );
    let all = spans.spans();
    assert_eq!(retry(&all[2], "tool"), some(["model_retry", "1", "1"]));
    assert_eq!(retry(&all[4], "tool"), [Some("model_retry".to_owned()), None, None], "the run ends instead");
    assert_eq!(all[2].events.len(), 1, "{:?}", all[2].events);
    assert_eq!(all[2].events[0].get("message"), Some("exception"));
    assert_eq!(all[2].events[0].get("exception.type"), Some("model_retry"));
    assert_eq!(all[2].events[0].get("exception.message"), None, "that is content");
    assert!(!spans.everything().contains("Not like that."));
}

#[tokio::test(start_paused = true)]
async fn each_way_to_fail_has_its_mark() {
    let spans = Collector::new();
    let failed = tool("failed", |_: RunContext<()>| async { Err(ToolFailed::new("No such city.").into()) });
    let late = tool("late", |_: RunContext<()>| async {
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok(json!(1))
    })
    .with_timeout(Duration::from_secs(1));
    let agent = Agent::<()>::builder(script(vec![calls(&[("failed", "1"), ("late", "2")]), done()]))
        .name("helper")
        .tools([failed, late])
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    assert_eq!(
        spans.tree(),
        "invoke_agent helper\n  chat function\n  execute_tool failed ! tool_failed\n  execute_tool late ! timeout\n  \
         chat function\n"
    );
    assert_eq!(retry(&spans.span("execute_tool failed"), "tool"), [None, None, None]);
    assert_eq!(retry(&spans.span("execute_tool late"), "tool"), some(["model_retry", "1", "1"]));
}

#[tokio::test]
async fn a_tools_own_error_marks_the_run_too() {
    for panics in [false, true] {
        let spans = Collector::new();
        let broken = tool("broken", move |_: RunContext<()>| async move {
            assert!(!panics, "disk on fire");
            Err("disk on fire".into())
        });
        let agent = Agent::<()>::builder(script(vec![calls(&[("broken", "1")])]))
            .name("helper")
            .tool(broken)
            .build()
            .expect("agent");
        agent.run("Go.").await.expect_err("it failed");
        assert_eq!(spans.tree(), "invoke_agent helper ! tool\n  chat function\n  execute_tool broken ! tool\n");
        assert!(!spans.everything().contains("disk on fire"), "words of errors are content");
    }
}

#[tokio::test]
async fn arguments_that_do_not_pass_have_a_span_of_their_own() {
    let spans = Collector::new();
    let validator = |_: &RunContext<()>, args: &Map<String, Value>| match args.get("n") {
        Some(Value::Number(_)) => Ok(()),
        _ => Err(ModelRetry::new("A number, please.")),
    };
    let checked =
        RawTool::new(ToolDefinition::new("checked"), |_: RunContext<()>, _| async { Ok::<_, Error>(json!(1)) })
            .args_validator(validator);
    let call = |args: &str, id| {
        let args = toolwright::message::Arguments::from_text(args);
        ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new("checked", args).with_id(id))])
    };
    let script = script(vec![call("{", "1"), call("{}", "2"), call(r#"{"n": 1}"#, "3"), done()]);
    let agent =
        Agent::<()>::builder(script).name("helper").tool(checked).retries(Retries::tools(2)).build().expect("agent");
    agent.run("Go.").await.expect("run");
    assert_eq!(
        spans.tree(),
        "invoke_agent helper\n  chat function\n  execute_tool checked ! validation_error\n  chat function\n  \
         execute_tool checked ! model_retry\n  chat function\n  execute_tool checked\n  chat function\n"
    );
    let all = spans.spans();
    let stages = [2, 4, 6].map(|place| all[place].fields.get("toolwright.tool.failure_stage"));
    assert_eq!(stages, [Some("validation"), Some("validation"), None]);
    assert_eq!(retry(&all[2], "tool"), some(["validation_error", "1", "2"]));
    assert_eq!(retry(&all[4], "tool"), some(["model_retry", "2", "2"]));
}

#[tokio::test]
async fn a_request_that_fails_is_marked_with_the_providers_status() {
    let spans = Collector::new();
    let model = FunctionModel::new(|_| Err::<ModelResponse, _>(Error::provider("busy").with_status(429)));
    let agent = Agent::<()>::builder(model).name("helper").build().expect("agent");
    agent.run("Go.").await.expect_err("it failed");
    assert_eq!(spans.tree(), "invoke_agent helper ! 429\n  chat function ! 429\n");
}

#[tokio::test]
async fn a_limit_marks_the_run_alone() {
    let spans = Collector::new();
    let agent = Agent::<()>::builder(script(vec![calls(&[("look", "1")])]))
        .name("helper")
        .tool(echo("look"))
        .build()
        .expect("agent");
    agent.run("Go.").limits(UsageLimits::none().requests(1)).await.expect_err("it goes on");
    assert_eq!(spans.tree(), "invoke_agent helper ! usage_limit\n  chat function\n  execute_tool look\n");
}

#[tokio::test]
async fn an_output_that_is_refused_says_so() {
    let spans = Collector::new();
    let output = OutputTool::from_schema("answer", None, json!({"type": "object"}))
        .try_map(|_| Err::<Value, _>(ModelRetry::new("Not that.")));
    let agent = Agent::<()>::builder(script(vec![calls(&[("answer", "1")])]))
        .name("helper")
        .output(OutputSpec::tool(output))
        .build()
        .expect("agent");
    agent.run("Go.").await.expect_err("it never works");
    assert_eq!(
        spans.tree(),
        "invoke_agent helper ! model_behavior\n  chat function\n  execute_tool answer ! model_retry\n  chat function\n  \
         execute_tool answer ! model_retry\n"
    );
    let all = spans.spans();
    assert_eq!(retry(&all[2], "output"), some(["model_retry", "1", "1"]));
    assert_eq!(retry(&all[4], "output"), [Some("model_retry".to_owned()), None, None]);
    assert_eq!(retry(&all[2], "tool"), [None, None, None]);
}

#[tokio::test(start_paused = true)]
async fn what_is_given_up_is_marked_as_cancelled() {
    let spans = Collector::new();
    let forever = tool("forever", |_: RunContext<()>| async {
        std::future::pending::<()>().await;
        Ok(json!(1))
    });
    let agent = Agent::<()>::builder(script(vec![calls(&[("forever", "1")]), calls(&[("forever", "1")])]))
        .name("helper")
        .tool(forever)
        .build()
        .expect("agent");
    let tree = "invoke_agent helper ! cancelled\n  chat function\n  execute_tool forever ! cancelled\n";
    agent.run("Go.").deadline(Duration::from_secs(1)).await.expect_err("its time is up");
    assert_eq!(spans.tree(), tree);
    let dropped = tokio::time::timeout(Duration::from_secs(1), agent.run("Go.").into_future()).await;
    assert!(dropped.is_err());
    assert_eq!(spans.tree(), tree.repeat(2));
}
