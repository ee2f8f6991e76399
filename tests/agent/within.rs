//! Runs inside others: what they share with their caller, and what stays their own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use toolwright::error::BoxError;
use toolwright::message::{ModelResponse, Outcome};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, CancellationToken, ErrorKind, Event, Run, RunContext, Tool, UsageLimits};

use crate::support::{answers, calls, done, echo, returns, script, tool};

/// An agent without tools, for dependencies of another type than its callers'.
fn inner(model: FunctionModel) -> Agent<u8> {
    Agent::<u8>::builder(model).name("inner").tool(echo("echo")).build().expect("agent")
}

/// A model that answers after a second, in `steps` responses, and counts the requests that are made.
fn slow(steps: usize, requests: &Arc<AtomicUsize>) -> FunctionModel {
    let requests = requests.clone();
    FunctionModel::new_async(move |input: ModelInput| {
        requests.fetch_add(1, Ordering::SeqCst);
        async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let responses = input.history.len() / 2;
            if responses + 1 < steps { calls(&[("echo", &responses.to_string())]) } else { done() }
        }
    })
}

type InnerRun = Run<u8, String, toolwright::HasDeps>;

/// A tool that runs `agent` as `how` says.
fn ask<F>(name: &str, agent: Agent<u8>, how: F) -> Tool<()>
where
    F: Fn(InnerRun, &RunContext<()>) -> InnerRun + Send + Sync + 'static,
{
    tool(name, move |ctx| {
        let run = how(agent.run("Go.").deps(1), &ctx);
        async move { Ok(json!(run.await?.into_output())) }
    })
}

fn within(run: InnerRun, ctx: &RunContext<()>) -> InnerRun {
    run.within(ctx)
}

fn outer(responses: Vec<ModelResponse>, tools: impl IntoIterator<Item = Tool<()>>) -> Agent<()> {
    Agent::<()>::builder(script(responses)).tools(tools).build().expect("agent")
}

#[tokio::test]
async fn what_a_run_within_uses_its_caller_has_used() {
    let agent = inner(script(vec![calls(&[("echo", "1"), ("echo", "2")]), done()]));
    let ask = tool("ask", move |ctx: RunContext<()>| {
        let run = agent.run("Go.").deps(1).within(&ctx);
        async move {
            let used = run.await?.usage().clone();
            Ok(json!([used.requests, used.tool_calls, ctx.usage().requests, ctx.usage().tool_calls]))
        }
    });
    let result = outer(vec![calls(&[("ask", "1")]), done()], [ask]).run("Go.").await.expect("run");
    assert_eq!(returns(result.history())[0].content.to_json().text(), "[2,2,3,2]");
    assert_eq!((result.usage().requests, result.usage().tool_calls), (4, 3));
}

#[tokio::test(start_paused = true)]
async fn what_fails_or_is_cancelled_has_cost_something_all_the_same() {
    let fails = script(vec![calls(&[("echo", "1")]), calls(&[("nothing", "2")]), calls(&[("nothing", "3")])]);
    let failing = tool("failing", {
        let agent = inner(fails);
        move |ctx: RunContext<()>| {
            let run = agent.run("Go.").deps(1).within(&ctx);
            async move { Ok(json!(run.await.is_err())) }
        }
    });
    let requests = Arc::new(AtomicUsize::new(0));
    let late = ask("late", inner(slow(9, &requests)), |run, ctx| run.within(ctx).deadline(Duration::from_millis(2500)));
    let agent = outer(vec![calls(&[("failing", "1"), ("late", "2")]), done()], [failing, late]);
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(answers(result.history()), [("1".to_owned(), Outcome::Success), ("2".to_owned(), Outcome::Failed)]);
    // Two of the caller's, three of the one that failed, and the two that were answered in time.
    assert_eq!((result.usage().requests, result.usage().tool_calls), (7, 1 + 1 + 2));
}

#[tokio::test(start_paused = true)]
async fn runs_side_by_side_do_not_pass_a_limit_together() {
    for (limit, passes) in [(9, false), (10, false), (11, true)] {
        let requests = Arc::new(AtomicUsize::new(0));
        let ask = ask("ask", inner(slow(3, &requests)), within);
        let agent = outer(vec![calls(&[("ask", "1"), ("ask", "2"), ("ask", "3")]), done()], [ask]);
        match agent.run("Go.").limits(UsageLimits::default().requests(limit)).await {
            Ok(result) => assert!(passes && result.usage().requests == 11),
            Err(error) => {
                assert!(!passes, "{error}");
                assert_eq!(error.kind(), ErrorKind::UsageLimit);
            }
        }
        assert!(requests.load(Ordering::SeqCst) < limit as usize, "more were made than may be");
    }
}

#[tokio::test]
async fn a_caller_s_limit_on_calls_counts_those_within() {
    let agent = |calls_within: &[(&str, &str)]| {
        let agent = inner(script(vec![calls(calls_within), done()]));
        outer(vec![calls(&[("ask", "1")]), done()], [ask("ask", agent, within)])
    };
    let limits = || UsageLimits::default().tool_calls(3);
    let two = agent(&[("echo", "1"), ("echo", "2")]).run("Go.").limits(limits()).await.expect("three in all");
    assert_eq!(two.usage().tool_calls, 3);
    let three = agent(&[("echo", "1"), ("echo", "2"), ("echo", "3")]).run("Go.").limits(limits()).await;
    let error = three.expect_err("one too many");
    assert_eq!(error.kind(), ErrorKind::UsageLimit);
    for words in ["`ask`", "caller's tool_calls_limit of 3"] {
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[tokio::test]
async fn a_run_within_has_limits_of_its_own_where_it_is_given_some() {
    let endless = || inner(script(vec![calls(&[("echo", "1")])]));
    let own = ask("ask", endless(), |run, ctx| run.within(ctx).limits(UsageLimits::default().requests(2)));
    let error = outer(vec![calls(&[("ask", "1")])], [own]).run("Go.").await.expect_err("its own limit");
    assert_eq!(error.kind(), ErrorKind::UsageLimit);
    assert!(error.to_string().contains("exceed the request_limit of 2"), "{error}");

    let shared = ask("ask", endless(), within);
    let run = outer(vec![calls(&[("ask", "1")])], [shared]).run("Go.").limits(UsageLimits::none().requests(70));
    let error = run.await.expect_err("the caller's limit");
    assert!(error.to_string().contains("the caller's request_limit of 70"), "{error}");
}

#[tokio::test]
async fn a_tool_may_answer_for_a_run_that_ran_into_the_caller_s_limit_and_the_caller_meets_it_next() {
    let agent = inner(script(vec![calls(&[("echo", "1")])]));
    let ask = tool("ask", move |ctx: RunContext<()>| {
        let run = agent.run("Go.").deps(1).within(&ctx);
        async move { Ok(json!(run.await.is_err())) }
    });
    let run = outer(vec![calls(&[("ask", "1")]), done()], [ask]).run("Go.").limits(UsageLimits::none().requests(4));
    let error = run.await.expect_err("nothing is left");
    assert_eq!(error.kind(), ErrorKind::UsageLimit);
    assert_eq!(answers(error.history().expect("history")), [("1".to_owned(), Outcome::Success)]);
}

#[tokio::test]
async fn a_run_that_shares_nothing_counts_for_itself() {
    let agent = inner(script(vec![calls(&[("echo", "1")]), done()]));
    let ask = ask("ask", agent, |run, _| run);
    let run = outer(vec![calls(&[("ask", "1")]), done()], [ask]).run("Go.").limits(UsageLimits::none().requests(2));
    assert_eq!(run.await.expect("run").usage().requests, 2);
}

/// Says whether it was dropped.
struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// An agent whose tool never ends, and whether that tool was stopped.
fn hanging() -> (Agent<u8>, Arc<AtomicBool>) {
    let dropped = Arc::new(AtomicBool::new(false));
    let guarded = dropped.clone();
    let hang = tool("hang", move |_| {
        let guard = Guard(guarded.clone());
        async move {
            let _guard = guard;
            std::future::pending().await
        }
    });
    (Agent::<u8>::builder(script(vec![calls(&[("hang", "1")])])).tool(hang).build().expect("agent"), dropped)
}

/// A tool that runs `agent` in a task of its own, which nobody drops.
fn ask_apart(agent: Agent<u8>, ended: &Arc<Mutex<Option<String>>>) -> Tool<()> {
    let ended = ended.clone();
    tool("ask", move |ctx: RunContext<()>| {
        let (run, ended) = (agent.run("Go.").deps(1).within(&ctx), ended.clone());
        async move {
            tokio::spawn(async move {
                let error = run.await.expect_err("it never ends by itself");
                *ended.lock().expect("lock") = Some(error.to_string());
                Err::<Value, BoxError>(error.into())
            })
            .await?
        }
    })
}

#[tokio::test(start_paused = true)]
async fn who_cancels_the_caller_cancels_what_runs_within() {
    for apart in [false, true] {
        let (agent, dropped) = hanging();
        let ended = Arc::default();
        let ask = if apart { ask_apart(agent, &ended) } else { ask("ask", agent, within) };
        let agent = outer(vec![calls(&[("quick", "0"), ("ask", "1")])], [echo("quick"), ask]);
        let token = CancellationToken::new();
        let stop = token.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            stop.cancel();
        });
        let error = agent.run("Go.").cancel_on(token).await.expect_err("cancelled");
        assert!(error.is_cancelled());
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert!(dropped.load(Ordering::SeqCst), "what runs within was left behind");
        assert_eq!(ended.lock().expect("lock").is_some(), apart);
        // The call has no answer: nobody failed.
        assert_eq!(answers(error.history().expect("history")), [("0".to_owned(), Outcome::Success)]);
    }
}

#[tokio::test(start_paused = true)]
async fn the_caller_s_deadline_is_that_of_what_runs_within() {
    for (own, apart) in [(None, false), (None, true), (Some(60), false)] {
        let (agent, dropped) = hanging();
        let ended = Arc::default();
        let ask = if apart {
            ask_apart(agent, &ended)
        } else {
            ask("ask", agent, move |run, ctx| match own {
                Some(seconds) => run.deadline(Duration::from_secs(seconds)).within(ctx),
                None => run.within(ctx),
            })
        };
        let agent = outer(vec![calls(&[("ask", "1")])], [ask]);
        let error = agent.run("Go.").deadline(Duration::from_secs(2)).await.expect_err("late");
        assert!(error.is_cancelled());
        assert!(error.to_string().contains("its deadline of 2 seconds"), "{error}");
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert!(dropped.load(Ordering::SeqCst));
        assert!(answers(error.history().expect("history")).is_empty(), "own {own:?}, apart {apart}");
        assert_eq!(ended.lock().expect("lock").is_some(), apart);
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_of_its_own_ends_a_run_within_and_the_caller_goes_on() {
    let (agent, dropped) = hanging();
    let ask = ask("ask", agent, |run, ctx| run.within(ctx).deadline(Duration::from_secs(1)));
    let agent = outer(vec![calls(&[("ask", "1")]), done()], [ask]);
    let result = agent.run("Go.").deadline(Duration::from_secs(2)).await.expect("the caller goes on");
    assert!(dropped.load(Ordering::SeqCst));
    let answer = &returns(result.history())[0];
    assert_eq!(answer.outcome, Outcome::Failed);
    assert!(answer.content.to_json().text().contains("its deadline of 1 seconds"), "{answer:?}");
}

/// An error that hides what it wraps, as `anyhow::Error` does once boxed, but for its sources.
#[derive(Debug)]
struct Hiding(toolwright::Error);

impl std::fmt::Display for Hiding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "hidden: {}", self.0)
    }
}

impl std::error::Error for Hiding {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0)
    }
}

#[tokio::test]
async fn a_run_within_that_is_cancelled_alone_fails_its_call_however_the_tool_says_so() {
    let stop = || {
        let stop = tool("stop", |ctx: RunContext<u8>| async move {
            ctx.cancel();
            Ok(json!(null))
        });
        Agent::<u8>::builder(script(vec![calls(&[("stop", "1")])])).tool(stop).build().expect("agent")
    };
    let plain = ask("plain", stop(), within);
    let agent = stop();
    let hiding = tool("hiding", move |ctx: RunContext<()>| {
        let run = agent.run("Go.").deps(1).within(&ctx);
        async move { Ok(json!(run.await.map_err(Hiding)?.into_output())) }
    });
    let agent =
        outer(vec![calls(&[("plain", "1"), ("hiding", "2"), ("quick", "3")]), done()], [plain, hiding, echo("quick")]);
    let result = agent.run("Go.").await.expect("the caller goes on");
    let outcomes = [Outcome::Failed, Outcome::Failed, Outcome::Success];
    assert_eq!(returns(result.history()).iter().map(|part| part.outcome).collect::<Vec<_>>(), outcomes);
    // The tool's own requests, and one of each run within.
    assert_eq!(result.usage().requests, 4);
}

#[tokio::test]
async fn a_tool_that_wants_its_caller_to_end_as_well_says_so() {
    let (agent, _) = hanging();
    let ask = tool("ask", move |ctx: RunContext<()>| {
        let run = agent.run("Go.").deps(1).within(&ctx);
        async move {
            ctx.cancel();
            Ok(json!(run.await?.into_output()))
        }
    });
    let error = outer(vec![calls(&[("ask", "1")]), done()], [ask]).run("Go.").await.expect_err("cancelled");
    assert!(error.is_cancelled());
    assert!(answers(error.history().expect("history")).is_empty());
}

#[tokio::test]
async fn nothing_runs_within_a_run_that_is_over() {
    let kept: Arc<Mutex<Option<RunContext<()>>>> = Arc::default();
    let keeper = kept.clone();
    let keep = tool("keep", move |ctx: RunContext<()>| {
        *keeper.lock().expect("lock") = Some(ctx);
        async { Ok(json!(null)) }
    });
    outer(vec![calls(&[("keep", "1")]), done()], [keep]).run("Go.").await.expect("run");
    let ctx = kept.lock().expect("lock").take().expect("it was kept");
    let requests = Arc::new(AtomicUsize::new(0));
    let error = inner(slow(1, &requests)).run("Go.").deps(1).within(&ctx).await.expect_err("its caller is over");
    assert!(error.is_cancelled());
    let usage =
        inner(script(vec![done()])).run("Go.").deps(1).share_usage(&ctx).await.expect("not cancelled").usage().clone();
    assert_eq!((usage.requests, ctx.usage().requests), (1, 3));
}

#[tokio::test]
async fn a_context_without_a_run_can_be_a_caller() {
    let ctx = RunContext::detached("deps");
    let agent = inner(script(vec![calls(&[("echo", "1")]), done()]));
    agent.run("Go.").deps(1).within(&ctx).await.expect("run");
    assert_eq!((ctx.usage().requests, ctx.usage().tool_calls), (2, 1));
    ctx.cancel();
    assert!(agent.run("Go.").deps(1).within(&ctx).await.expect_err("cancelled").is_cancelled());
}

/// An event in short, with those of runs within in brackets behind the agent's name.
fn short(event: &Event) -> String {
    match event {
        Event::StepReport(report) => format!("step {}", report.step),
        Event::Part(_) => "part".to_owned(),
        Event::FunctionToolCall { call, .. } => format!("call {}", call.tool_name),
        Event::FunctionToolResult { part, .. } => format!("result {}", part.tool_name),
        Event::SubAgent { tool_name, tool_call_id, agent, event, .. } => {
            let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
            format!("{} {} {} [{}]", name(tool_name), name(tool_call_id), name(agent), short(event))
        }
        Event::Custom { data, .. } => format!("says {data}"),
        _ => "other".to_owned(),
    }
}

#[tokio::test]
async fn the_caller_s_listener_hears_of_runs_within_at_every_depth() {
    let speak = tool("speak", |ctx: RunContext<u8>| async move {
        ctx.emit(json!("hello"));
        Ok(json!(null))
    });
    let innermost = Agent::<u8>::builder(script(vec![calls(&[("speak", "3")]), done()])).name("innermost");
    let innermost = innermost.tool(speak).build().expect("agent");
    let pass_on = tool("pass_on", move |ctx: RunContext<u8>| {
        let run = innermost.run("Go.").deps(*ctx.deps()).within(&ctx);
        async move { Ok(json!(run.await?.into_output())) }
    });
    let middle = Agent::<u8>::builder(script(vec![calls(&[("pass_on", "2")]), done()])).name("middle");
    let middle = middle.tool(pass_on).build().expect("agent");
    let own: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard_within = own.clone();
    let ask = ask("ask", middle, move |run, ctx| {
        let heard = heard_within.clone();
        run.on_event(move |event| heard.lock().expect("lock").push(short(event))).within(ctx)
    });
    let all: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = all.clone();
    let agent = outer(vec![calls(&[("ask", "1")]), done()], [ask]);
    agent.run("Go.").on_event(move |event| heard.lock().expect("lock").push(short(event))).await.expect("run");
    let all = all.lock().expect("lock").clone();
    assert_eq!(
        all,
        [
            "step 1",
            "call ask",
            "ask 1 middle [step 1]",
            "ask 1 middle [call pass_on]",
            "ask 1 middle [pass_on 2 innermost [step 1]]",
            "ask 1 middle [pass_on 2 innermost [call speak]]",
            "ask 1 middle [pass_on 2 innermost [says \"hello\"]]",
            "ask 1 middle [pass_on 2 innermost [result speak]]",
            "ask 1 middle [pass_on 2 innermost [step 2]]",
            "ask 1 middle [result pass_on]",
            "ask 1 middle [step 2]",
            "result ask",
            "step 2",
        ]
    );
    let own = own.lock().expect("lock").clone();
    assert_eq!(own.first().map(String::as_str), Some("step 1"));
    assert_eq!(own.len(), 9);
}

#[tokio::test]
async fn what_runs_within_a_streamed_run_is_streamed() {
    let ask = ask("ask", inner(script(vec![done()])), within);
    let mut stream = outer(vec![calls(&[("ask", "1")]), done()], [ask]).run("Go.").stream();
    let mut parts = 0;
    while let Some(event) = stream.next().await {
        parts += usize::from(short(&event) == "ask 1 inner [part]");
    }
    assert_eq!(parts, 2, "where it starts, and where it ends");
    stream.finish().await.expect("run");
}

#[tokio::test]
async fn a_listener_that_fails_ends_its_own_run_whatever_it_heard() {
    let ask = ask("ask", inner(script(vec![calls(&[("echo", "1")]), done()])), within);
    let agent = outer(vec![calls(&[("ask", "1")]), done()], [ask]);
    let run = agent.run("Go.").on_event(|event| assert!(!matches!(event, Event::SubAgent { .. }), "enough"));
    let error = run.await.expect_err("the listener panicked");
    assert_eq!(error.kind(), ErrorKind::Tool);
    assert!(error.to_string().contains("listener"), "{error}");
}

#[tokio::test]
async fn an_agent_that_runs_itself_ends_before_the_stack_does() {
    #[derive(Clone)]
    struct Own(Arc<std::sync::OnceLock<Agent<Own>>>);
    let ask = tool("ask", |ctx: RunContext<Own>| async move {
        let agent = ctx.deps().0.get().expect("it is set").clone();
        let output = agent.run("Again.").deps(ctx.deps().clone()).within(&ctx).await?;
        Ok(json!(output.output()))
    });
    let own = Own(Arc::default());
    let agent = Agent::<Own>::builder(script(vec![calls(&[("ask", "a")])])).tool(ask).build().expect("agent");
    assert!(own.0.set(agent.clone()).is_ok());
    let error = agent.run("Go.").deps(own).await.expect_err("it never ends");
    assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
}
