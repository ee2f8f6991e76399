//! What a run tells while it goes on.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use toolwright::error::BoxError;
use toolwright::model::PartEvent;
use toolwright::{Agent, ErrorKind, Event, RawTool, RunContext, ToolDefinition};

use crate::support::{calls, done, echo, script, tool};

/// The name of an event, and whose it is.
fn short(event: &Event) -> String {
    match event {
        Event::StepReport(report) => format!("step {}", report.step),
        Event::Part(PartEvent::Start { index, .. }) => format!("start {index}"),
        Event::Part(PartEvent::End { index, .. }) => format!("end {index}"),
        Event::FinalResult { .. } => "final".to_owned(),
        Event::FunctionToolCall { call, .. } => format!("call {}", call.tool_name),
        Event::FunctionToolResult { part, .. } => format!("result {}", part.tool_name),
        Event::Custom { tool_name, data, .. } => format!("{} says {data}", tool_name.as_deref().unwrap_or("?")),
        other => format!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_tells_everything_in_order_and_then_ends() {
    let busy = tool("busy", |ctx: RunContext<()>| async move {
        for percent in [50, 100] {
            tokio::time::sleep(Duration::from_secs(1)).await;
            ctx.emit(json!(percent));
        }
        Ok(json!("ready"))
    });
    let agent = Agent::<()>::builder(script(vec![calls(&[("busy", "1")]), done()])).tool(busy).build().expect("agent");
    let mut stream = agent.run("Go.").stream();
    let mut told = Vec::new();
    while let Some(event) = stream.next().await {
        told.push(short(&event));
    }
    assert_eq!(
        told,
        [
            "step 1",
            "start 0",
            "end 0",
            "call busy",
            "busy says 50",
            "busy says 100",
            "result busy",
            "step 2",
            "start 0",
            "final",
            "end 0"
        ]
    );
    assert_eq!(stream.finish().await.expect("run").output(), "done");
}

#[tokio::test]
async fn a_stream_that_nobody_reads_to_its_end_still_comes_to_something() {
    let agent =
        Agent::<()>::builder(script(vec![calls(&[("t", "1")]), done()])).tool(echo("t")).build().expect("agent");
    let mut stream = agent.run("Go.").stream();
    assert!(stream.next().await.is_some());
    assert_eq!(stream.finish().await.expect("run").output(), "done");
}

#[tokio::test]
async fn a_stream_tells_of_a_run_that_fails_until_it_does() {
    let fails = tool("t", |_| async { Err("disk on fire".into()) });
    let agent = Agent::<()>::builder(script(vec![calls(&[("t", "1")])])).tool(fails).build().expect("agent");
    let mut stream = agent.run("Go.").stream();
    let mut told = Vec::new();
    while let Some(event) = stream.next().await {
        told.push(short(&event));
    }
    assert_eq!(told.last().map(String::as_str), Some("call t"));
    assert!(stream.finish().await.is_err());
}

#[tokio::test]
async fn tools_on_threads_tell_too() {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let listener = told.clone();
    let thread = RawTool::blocking(ToolDefinition::new("thread"), |ctx: RunContext<()>, _| {
        ctx.emit(json!("from a thread"));
        Ok::<_, BoxError>(json!(1))
    });
    let agent =
        Agent::<()>::builder(script(vec![calls(&[("thread", "1")]), done()])).tool(thread).build().expect("agent");
    let run = agent.run("Go.").on_event(move |event| listener.lock().expect("lock").push(short(event)));
    run.await.expect("run");
    let expected = ["step 1", "call thread", "thread says \"from a thread\"", "result thread", "step 2"];
    assert_eq!(*told.lock().expect("lock"), expected);
}

#[tokio::test]
async fn a_listener_that_panics_ends_the_run_with_an_error_that_says_so() {
    let listener = |event: &Event| assert!(!matches!(event, Event::FunctionToolResult { .. }), "enough");
    for streamed in [false, true] {
        let agent =
            Agent::<()>::builder(script(vec![calls(&[("a", "1")]), done()])).tool(echo("a")).build().expect("agent");
        let run = agent.run("Go.").on_event(listener);
        let ended = if streamed { run.stream().finish().await } else { run.await };
        let error = ended.expect_err("it panicked");
        assert_eq!(error.kind(), ErrorKind::Tool, "{error}");
        assert!(error.to_string().contains("listener"), "{error}");
        assert_eq!(error.history().expect("history").len(), 3, "what was done is kept");
    }
}
