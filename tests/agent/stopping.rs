//! Runs that are cancelled, run out of time, or are dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use toolwright::error::BoxError;
use toolwright::message::Outcome;
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, CancellationToken, ErrorKind, RawTool, RecordedHistory, RunContext, ToolDefinition};

use crate::support::{answers, calls, done, echo, script, tool};

/// Says whether it was dropped.
struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn hanging(dropped: &Arc<AtomicBool>) -> toolwright::Tool<()> {
    let dropped = dropped.clone();
    tool("hang", move |_| {
        let guard = Guard(dropped.clone());
        async move {
            let _guard = guard;
            std::future::pending().await
        }
    })
}

#[tokio::test(start_paused = true)]
async fn a_token_from_outside_stops_tools_and_keeps_what_completed() {
    let dropped = Arc::new(AtomicBool::new(false));
    let model = script(vec![calls(&[("quick", "1"), ("hang", "2")]), done()]);
    let agent = Agent::<()>::builder(model).tools([echo("quick"), hanging(&dropped)]).build().expect("agent");
    let token = CancellationToken::new();
    let (stop, run) = (token.clone(), agent.run("Go.").cancel_on(token));
    let cancel = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stop.cancel();
    };
    let (ended, ()) = tokio::join!(run.into_future(), cancel);
    let error = ended.expect_err("cancelled");
    assert!(error.is_cancelled());
    assert!(dropped.load(Ordering::Relaxed), "the tool was left behind");
    let history = error.history().expect("history").clone();
    assert_eq!(answers(&history), [("1".to_owned(), Outcome::Success)]);

    let result = agent.run("Again.").history(history).await.expect("the history can be used again");
    let expected = [("1".to_owned(), Outcome::Success), ("2".to_owned(), Outcome::Interrupted)];
    assert_eq!(answers(result.history()), expected);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_cancels_is_the_last_that_counts() {
    let model = script(vec![calls(&[("stop", "1")]), done()]);
    let stop = tool("stop", |ctx: RunContext<()>| async move {
        ctx.cancel();
        Ok(json!("stopping"))
    });
    let agent = Agent::<()>::builder(model).tool(stop).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("cancelled");
    assert!(error.is_cancelled());
    assert_eq!(answers(error.history().expect("history")), [("1".to_owned(), Outcome::Success)]);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_the_whole_run() {
    let dropped = Arc::new(AtomicBool::new(false));
    let model = script(vec![calls(&[("hang", "1")]), done()]);
    let agent = Agent::<()>::builder(model).tool(hanging(&dropped)).build().expect("agent");
    let error = agent.run("Go.").deadline(Duration::from_millis(1500)).await.expect_err("late");
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert!(error.to_string().contains("1.5 seconds"), "{error}");
    assert!(dropped.load(Ordering::Relaxed));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_a_model_that_never_answers() {
    let model = FunctionModel::new_async(|_: ModelInput| async {
        std::future::pending::<()>().await;
        done()
    });
    let agent = Agent::<()>::builder(model).build().expect("agent");
    let error = agent.run("Go.").deadline(Duration::from_secs(3)).await.expect_err("late");
    assert!(error.is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn a_dropped_run_leaves_nothing_behind_and_a_history_to_go_on_from() {
    let dropped = Arc::new(AtomicBool::new(false));
    let model = script(vec![calls(&[("quick", "1"), ("hang", "2")]), done()]);
    let agent = Agent::<()>::builder(model).tools([echo("quick"), hanging(&dropped)]).build().expect("agent");
    let record = RecordedHistory::new();
    let run = agent.run("Go.").record_into(&record).into_future();
    assert!(tokio::time::timeout(Duration::from_secs(1), run).await.is_err());
    assert!(dropped.load(Ordering::Relaxed));
    assert_eq!(answers(&record.history()), [("1".to_owned(), Outcome::Success)]);

    let result = agent.run("Again.").history(record.history()).await.expect("goes on");
    let expected = [("1".to_owned(), Outcome::Success), ("2".to_owned(), Outcome::Interrupted)];
    assert_eq!(answers(result.history()), expected);
}

#[tokio::test(start_paused = true)]
async fn a_late_tool_is_asked_again_and_siblings_do_not_mind() {
    let dropped = Arc::new(AtomicBool::new(false));
    let model = script(vec![calls(&[("quick", "1"), ("hang", "2")]), done()]);
    let agent = Agent::<()>::builder(model)
        .tools([echo("quick"), hanging(&dropped).with_timeout(Duration::from_millis(100))])
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let expected = [("1".to_owned(), Outcome::Success), ("2".to_owned(), Outcome::Retried)];
    assert_eq!(answers(result.history()), expected);
    assert!(result.history().to_json().contains("Timed out after 0.1 seconds."));
}

#[tokio::test]
async fn a_blocking_tool_times_out_on_schedule_and_its_result_is_discarded() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counter = ran.clone();
    let slow = RawTool::blocking(ToolDefinition::new("slow"), move |_, _| {
        std::thread::sleep(Duration::from_millis(300));
        counter.fetch_add(1, Ordering::Relaxed);
        Ok::<_, BoxError>(json!(1))
    });
    let slow = toolwright::Tool::from(slow).with_timeout(Duration::from_millis(20));
    let model = script(vec![calls(&[("slow", "1")]), done()]);
    let agent = Agent::<()>::builder(model).tool(slow).build().expect("agent");
    let begun = std::time::Instant::now();
    let result = agent.run("Go.").await.expect("run");
    assert!(begun.elapsed() < Duration::from_millis(250), "waited for the thread");
    assert_eq!(answers(result.history()), [("1".to_owned(), Outcome::Retried)]);
    assert_eq!(result.usage().tool_calls, 0);
}

#[test]
fn a_run_without_a_runtime_makes_its_own() {
    let agent = Agent::<()>::builder(script(vec![done()])).build().expect("agent");
    assert_eq!(agent.run("Go.").run_blocking().expect("run").output(), "done");
}

#[tokio::test]
async fn blocking_inside_a_runtime_is_misuse_and_says_what_to_do() {
    let agent = Agent::<()>::builder(script(vec![done()])).build().expect("agent");
    let error = agent.run("Go.").run_blocking().expect_err("inside a runtime");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("await"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_run_of_a_tool_s_own_that_is_cancelled_fails_the_call_only() {
    let inner = Agent::<()>::builder(script(vec![calls(&[("stop", "1")])])).tool(tool(
        "stop",
        |ctx: RunContext<()>| async move {
            ctx.cancel();
            Ok(json!(null))
        },
    ));
    let inner = inner.build().expect("agent");
    let ask = tool("ask", move |_| {
        let run = inner.run("Go.");
        async move { Ok(json!(run.await?.output())) }
    });
    let outer = Agent::<()>::builder(script(vec![calls(&[("ask", "1")]), done()])).tool(ask).build().expect("agent");
    let result = outer.run("Go.").await.expect("the outer run goes on");
    assert_eq!(answers(result.history()), [("1".to_owned(), Outcome::Failed)]);
}

/// A blocking tool that runs until it is told that the run is over.
fn watching(seen: &Arc<AtomicBool>) -> toolwright::Tool<()> {
    let seen = seen.clone();
    let definition = ToolDefinition::new("watch").with_parameters(json!({"type": "object", "properties": {}}));
    let watch = move |ctx: RunContext<()>, _: serde_json::Map<String, serde_json::Value>| {
        while !ctx.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        seen.store(true, Ordering::Release);
        Ok::<_, BoxError>(json!(null))
    };
    RawTool::blocking(definition, watch).into()
}

async fn eventually(flag: &AtomicBool) {
    while !flag.load(Ordering::Acquire) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_blocking_tool_hears_that_its_run_is_over_however_it_ended() {
    let agent = |seen: &Arc<AtomicBool>| {
        let model = script(vec![calls(&[("watch", "1")])]);
        Agent::<()>::builder(model).tool(watching(seen)).build().expect("agent")
    };
    let seen = Arc::new(AtomicBool::new(false));
    let late = agent(&seen).run("Go.").deadline(Duration::from_millis(20)).await.expect_err("its time is up");
    assert!(late.is_cancelled());
    eventually(&seen).await;

    let seen = Arc::new(AtomicBool::new(false));
    let dropped = tokio::time::timeout(Duration::from_millis(20), agent(&seen).run("Go.").into_future()).await;
    assert!(dropped.is_err());
    eventually(&seen).await;
}

#[test]
fn a_blocking_tool_that_is_left_behind_does_not_hold_up_a_blocking_run() {
    let definition = ToolDefinition::new("sleep").with_parameters(json!({"type": "object", "properties": {}}));
    let forever = |_: RunContext<()>, _: serde_json::Map<String, serde_json::Value>| -> Result<_, BoxError> {
        std::thread::sleep(Duration::from_secs(3600));
        Ok(json!(null))
    };
    let agent = Agent::<()>::builder(script(vec![calls(&[("sleep", "1")])]))
        .tool(RawTool::blocking(definition, forever))
        .build()
        .expect("agent");
    let late = agent.run("Go.").deadline(Duration::from_millis(20)).run_blocking().expect_err("its time is up");
    assert!(late.is_cancelled());
}

#[test]
fn a_blocking_call_that_still_waits_for_a_thread_does_not_begin_after_the_run() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build();
    let runtime = runtime.expect("runtime");
    let begun = Arc::new(AtomicUsize::new(0));
    let definition = ToolDefinition::new("once").with_parameters(json!({"type": "object", "properties": {}}));
    let counting = begun.clone();
    let once = move |ctx: RunContext<()>, _: serde_json::Map<String, serde_json::Value>| -> Result<_, BoxError> {
        counting.fetch_add(1, Ordering::Release);
        while !ctx.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(json!(null))
    };
    let agent = Agent::<()>::builder(script(vec![calls(&[("once", "1"), ("once", "2")])]))
        .tool(RawTool::blocking(definition, once))
        .build()
        .expect("agent");
    let late = runtime.block_on(agent.run("Go.").deadline(Duration::from_millis(50)).into_future());
    assert!(late.is_err_and(|late| late.is_cancelled()));
    // Waits for what has begun.
    drop(runtime);
    assert_eq!(begun.load(Ordering::Acquire), 1);
}

#[tokio::test(start_paused = true)]
async fn any_of_several_tokens_cancels() {
    let dropped = Arc::new(AtomicBool::new(false));
    let agent = Agent::<()>::builder(script(vec![calls(&[("hang", "1")])])).tool(hanging(&dropped)).build();
    let tokens = [CancellationToken::new(), CancellationToken::new()];
    let run = agent.expect("agent").run("Go.").cancel_on(tokens[0].clone()).cancel_on(tokens[1].clone());
    let cancel = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        tokens[0].cancel();
    };
    let (ended, ()) = tokio::join!(run.into_future(), cancel);
    assert!(ended.is_err_and(|error| error.is_cancelled()));
}

#[tokio::test(start_paused = true)]
async fn a_run_dropped_before_any_answer_leaves_a_history_that_takes_a_new_prompt() {
    let dropped = Arc::new(AtomicBool::new(false));
    let model = script(vec![calls(&[("hang", "1")]), done()]);
    let agent = Agent::<()>::builder(model).tool(hanging(&dropped)).build().expect("agent");
    let record = RecordedHistory::new();
    let run = agent.run("Go.").record_into(&record).into_future();
    assert!(tokio::time::timeout(Duration::from_secs(1), run).await.is_err());

    let result = agent.run("Again.").history(record.history()).await.expect("goes on");
    assert_eq!(answers(result.history()), [("1".to_owned(), Outcome::Interrupted)]);
}

#[test]
fn a_runtime_without_a_clock_is_told_of_and_does_not_panic() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("runtime");
    let agent = |tool| Agent::<()>::builder(script(vec![calls(&[("slow", "1")]), done()])).tool(tool).build();
    let slow = || tool("slow", |_| async { std::future::pending().await });

    let run = agent(slow()).expect("agent").run("Go.").deadline(Duration::from_secs(1));
    let error = runtime.block_on(run.into_future()).expect_err("there is no clock");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("timers"), "{error}");

    let run = agent(slow().with_timeout(Duration::from_secs(1))).expect("agent").run("Go.");
    let error = runtime.block_on(run.into_future()).expect_err("there is no clock");
    assert!(error.to_string().contains("`slow`"), "{error}");
}
