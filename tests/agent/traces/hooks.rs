//! What hooks and runs within a run do to spans.

use std::time::Duration;

use serde_json::json;
use toolwright::capability::{Capability, HookResult, NextRequest, NextToolExecution, ToolInvocation};
use toolwright::message::{Arguments, ModelResponse, ResponsePart, ToolCallPart, ToolContent};
use toolwright::model::ModelInput;
use toolwright::{Agent, Retries, RunContext, ToolReturn};

use super::collector::Collector;
use crate::support::{calls, done, script, tool};

/// Does everything twice.
struct Twice;

impl Capability<()> for Twice {
    async fn wrap_model_request(
        &self,
        _: &RunContext<()>,
        input: ModelInput,
        mut next: NextRequest<'_, ()>,
    ) -> HookResult<ModelResponse> {
        next.run(input.clone()).await?;
        next.run(input).await
    }

    async fn wrap_tool_execution(
        &self,
        _: &RunContext<()>,
        call: ToolInvocation<'_>,
        mut next: NextToolExecution<'_, ()>,
    ) -> HookResult<ToolReturn> {
        next.run(call.clone()).await.ok();
        drop(next.run(call).await?);
        Ok(ToolReturn::new(ToolContent::text("by the hook")))
    }
}

#[tokio::test]
async fn each_request_has_a_span_and_a_call_has_one_around_its_hooks() {
    let spans = Collector::new();
    let inside = tool("look", |_: RunContext<()>| async {
        tracing::info_span!("inside", otel.name = "inside").in_scope(|| ());
        Ok(json!("by the tool"))
    });
    let look = calls(&[("look", "1")]);
    let agent = Agent::<()>::builder(script(vec![look.clone(), look, done()]))
        .name("helper")
        .tool(inside)
        .capability(Twice)
        .trace_content(true)
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    assert_eq!(
        spans.tree(),
        "invoke_agent helper\n  chat function\n  chat function\n  execute_tool look\n    inside\n    inside\n  \
         chat function\n  chat function\n"
    );
    let call = spans.span("execute_tool look").fields;
    assert_eq!(call.get("gen_ai.tool.call.result"), Some("by the hook"));
}

#[tokio::test(start_paused = true)]
async fn a_timeout_that_a_hook_sees_is_one_all_the_same() {
    let spans = Collector::new();
    let late = tool("late", |_: RunContext<()>| async {
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok(json!(1))
    })
    .with_timeout(Duration::from_secs(1));
    let made = calls(&[("late", "1")]);
    let agent = Agent::<()>::builder(script(vec![made.clone(), made, done()]))
        .name("helper")
        .tool(late)
        .capability(Twice)
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    assert_eq!(spans.span("execute_tool late").fields.get("error.type"), Some("timeout"));
}

#[tokio::test]
async fn tokens_are_told_once_whatever_runs_share() {
    let spans = Collector::new();
    let costly = |mut response: ModelResponse, tokens| {
        response.usage.input_tokens = tokens;
        response
    };
    let inner = Agent::<()>::builder(script(vec![costly(done(), 5)])).name("inner").build().expect("agent");
    let delegate = tool("delegate", move |ctx: RunContext<()>| {
        let run = inner.run("Please.").within(&ctx);
        async move { Ok(json!(run.await?.output())) }
    });
    let model = script(vec![costly(calls(&[("delegate", "1")]), 10), costly(done(), 20)]);
    let agent = Agent::<()>::builder(model).name("outer").tool(delegate).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(result.usage().input_tokens, 35);
    let tokens = |name| spans.span(name).fields.get("gen_ai.usage.input_tokens").map(str::to_owned);
    assert_eq!(tokens("invoke_agent outer").as_deref(), Some("30"));
    assert_eq!(tokens("invoke_agent inner").as_deref(), Some("5"));
}

#[tokio::test]
async fn arguments_that_never_pass_end_the_run_for_that_cause() {
    let spans = Collector::new();
    let look = tool("look", |_: RunContext<()>| async { Ok(json!(1)) });
    let broken = Arguments::from_text("{");
    let call = ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new("look", broken))]);
    let agent = Agent::<()>::builder(script(vec![call]))
        .name("helper")
        .tool(look)
        .retries(Retries::tools(0))
        .build()
        .expect("agent");
    agent.run("Go.").await.expect_err("never");
    let call = spans.span("execute_tool look").fields;
    assert_eq!(call.get("error.type"), Some("validation_error"));
    assert_eq!(call.get("toolwright.tool.retry.cause"), Some("validation_error"));
    assert_eq!(call.get("toolwright.tool.retry.attempt"), None);
    assert_eq!(call.get("toolwright.tool.failure_stage"), Some("validation"));
}
