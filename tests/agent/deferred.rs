//! Calls that wait: what may answer them, and what is refused before anything runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use toolwright::message::{History, Message, ModelResponse, Outcome};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{
    Agent, DeferredToolRequests, DeferredToolResults, ErrorKind, ExternalToolset, MaybeDeferred, RunContext,
    ToolDefinition,
};

use crate::support::{answers, calls, done, echo, script, tool};

fn paying(paid: &Arc<AtomicUsize>) -> Agent<(), MaybeDeferred<String>> {
    let paid = paid.clone();
    let pay = tool("pay", move |_| {
        paid.fetch_add(1, Ordering::Relaxed);
        async { Ok(json!("paid")) }
    });
    let external = ExternalToolset::new("ext", [ToolDefinition::new("remote")]);
    Agent::<()>::builder(script(vec![calls(&[("pay", "p"), ("remote", "r"), ("look", "l")]), done()]))
        .tools([pay.with_approval(), echo("look")])
        .toolset(external)
        .allow_deferred()
        .build()
        .expect("agent")
}

async fn waiting(agent: &Agent<(), MaybeDeferred<String>>) -> (DeferredToolRequests, History) {
    let result = agent.run("Go.").await.expect("run");
    let history = result.history().clone();
    (result.into_output().deferred().expect("it waits"), history)
}

#[tokio::test]
async fn requests_and_results_go_through_json_and_the_run_goes_on() {
    let paid = Arc::default();
    let agent = paying(&paid);
    let (requests, history) = waiting(&agent).await;
    let stored = serde_json::to_string(&requests).expect("JSON");
    let requests: DeferredToolRequests = serde_json::from_str(&stored).expect("requests");
    let results =
        requests.approve("p").expect("approval").and(requests.result("r", json!({"rows": 3})).expect("result"));
    let results: DeferredToolResults =
        serde_json::from_str(&serde_json::to_string(&results).expect("JSON")).expect("results");
    let history = History::from_json(&history.to_json()).expect("history");

    let result = agent.resume(history).results(results).await.expect("resumed");
    assert_eq!(result.output(), &MaybeDeferred::Done("done".to_owned()));
    assert_eq!(paid.load(Ordering::Relaxed), 1);
    let answered: Vec<_> = answers(result.history()).into_iter().map(|(id, _)| id).collect();
    assert_eq!(answered, ["l", "p", "r"]);
}

#[tokio::test]
async fn an_approval_of_other_arguments_is_refused_and_nothing_runs() {
    let paid = Arc::default();
    let agent = paying(&paid);
    let (requests, history) = waiting(&agent).await;
    let results = requests.approve("p").expect("approval").result("r", json!(1));
    let tampered =
        History::from_json(&history.to_json().replacen("\"args\":{}", "\"args\":{\"amount\":9}", 1)).expect("history");
    let error = agent.resume(tampered).results(results.clone()).await.expect_err("tampered");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("`p`"), "{error}");
    assert_eq!(paid.load(Ordering::Relaxed), 0);
    // The refusal leaves the history as it was: the right one still goes on.
    agent.resume(history).results(results).await.expect("resumed");
}

#[tokio::test]
async fn the_wrong_category_and_the_wrong_ids_are_misuse() {
    let paid = Arc::default();
    let agent = paying(&paid);
    let (_, history) = waiting(&agent).await;
    let given = DeferredToolResults::new;
    for (results, word) in [
        (given().result("p", json!(1)).result("r", json!(1)), "`p`"),
        (given().approve("p").approve("r"), "`r`"),
        (given().approve("p"), "`r`"),
        (given().approve("p").result("r", json!(1)).result("x", json!(1)), "`x`"),
        (given().approve("p").result("r", json!(1)).result("l", json!(1)), "`l`"),
    ] {
        let error = agent.resume(history.clone()).results(results).await.expect_err("misuse");
        assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
        assert!(error.to_string().contains(word), "{word}: {error}");
    }
    assert_eq!(paid.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn an_agent_that_does_not_allow_it_says_how_to() {
    let agent = Agent::<()>::builder(script(vec![calls(&[("pay", "p")]), done()]))
        .tool(echo("pay").with_approval())
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("not allowed");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("allow_deferred") && error.to_string().contains("`pay`"), "{error}");
}

#[tokio::test]
async fn a_new_prompt_beside_open_calls_is_misuse_before_they_are_answered() {
    let agent = Agent::<()>::builder(script(vec![calls(&[("pay", "p")]), done()]))
        .tool(echo("pay").with_approval())
        .allow_deferred()
        .build()
        .expect("agent");
    let history = agent.run("Go.").await.expect("run").history().clone();
    let error = agent.run("And?").history(history.clone()).await.expect_err("open calls");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    let denied = DeferredToolResults::new().deny("p", None);
    let result = agent.resume(history).results(denied).prompt("And?").await.expect("resumed");
    assert_eq!(answers(result.history()), [("p".to_owned(), Outcome::Denied)]);
}

#[tokio::test]
async fn a_handler_may_not_answer_what_does_not_wait() {
    let agent = Agent::<()>::builder(script(vec![calls(&[("pay", "p")]), done()]))
        .tool(echo("pay").with_approval())
        .handle_deferred(|_: &RunContext<()>, requests: DeferredToolRequests| {
            requests.approve_all().approve("stranger")
        })
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("stranger");
    assert!(error.to_string().contains("`stranger`"), "{error}");
}

#[tokio::test]
async fn a_handler_may_take_its_time_and_may_fail() {
    let agent = |fails: bool| {
        let handler = move |_: RunContext<()>, requests: DeferredToolRequests| async move {
            tokio::task::yield_now().await;
            if fails { Err("nobody is there") } else { Ok(requests.approve_all()) }
        };
        Agent::<()>::builder(script(vec![calls(&[("pay", "p")]), done()]))
            .tool(echo("pay").with_approval())
            .handle_deferred(handler)
            .build()
            .expect("agent")
    };
    let result = agent(false).run("Go.").await.expect("approved");
    assert_eq!(answers(result.history()), [("p".to_owned(), Outcome::Success)]);
    let error = agent(true).run("Go.").await.expect_err("nobody");
    assert_eq!(error.kind(), ErrorKind::Tool);
}

#[tokio::test]
async fn what_the_user_says_while_calls_wait_again_is_kept() {
    let again = tool("again", |ctx: RunContext<()>| async move {
        match ctx.tool_call_approved() {
            true => Err(toolwright::CallDeferred::new().into()),
            false => Err(toolwright::ApprovalRequired::new().into()),
        }
    });
    let agent = Agent::<()>::builder(script(vec![calls(&[("again", "1")]), done()]))
        .tool(again)
        .allow_deferred()
        .build()
        .expect("agent");
    let first = agent.run("Go.").await.expect("waits");
    let approved = DeferredToolResults::new().approve("1");
    let second = agent.resume(first.history().clone()).results(approved).prompt("And?").await.expect("waits again");
    assert!(matches!(second.output(), MaybeDeferred::Deferred(_)));
    let result = DeferredToolResults::new().result("1", json!("it"));
    let third = agent.resume(second.history().clone()).results(result).await.expect("done");
    assert_eq!(answers(third.history()), [("1".to_owned(), Outcome::Success)]);
    let said = |history: &History| serde_json::to_string(history).expect("JSON").matches("And?").count();
    assert_eq!(said(third.history()), 1);
}

/// A model that makes these calls, and then says what answers it was sent: ids and outcomes.
fn telling(made: &'static [(&str, &str)]) -> FunctionModel {
    FunctionModel::new(move |input: &ModelInput| {
        let is_new = !input.history.iter().any(|message| matches!(message, Message::Response(_)));
        if is_new { calls(made) } else { ModelResponse::text(format!("{:?}", answers(&input.history))) }
    })
}

#[tokio::test]
async fn a_model_sees_one_answer_to_each_call_that_waited() {
    let remote = ExternalToolset::new("ext", [ToolDefinition::new("remote")]);
    let model = telling(&[("remote", "r"), ("look", "l")]);
    let builder = Agent::<()>::builder(model).tool(echo("look")).toolset(remote);
    let agent = builder.allow_deferred().build().expect("agent");
    let (_, history) = waiting(&agent).await;
    let results = DeferredToolResults::new().result("r", json!(1));
    let result = agent.resume(history).results(results).await.expect("resumed");
    let seen = r#"[("l", Success), ("r", Success)]"#;
    assert_eq!(result.output(), &MaybeDeferred::Done(seen.to_owned()));
}

#[tokio::test]
async fn a_model_sees_one_answer_to_each_call_that_nobody_had_run() {
    let agent = Agent::<()>::builder(telling(&[])).tool(echo("look")).build().expect("agent");
    let history: History = [Message::from(calls(&[("look", "1"), ("look", "2")]))].into_iter().collect();
    let result = agent.resume(history).await.expect("resumed");
    assert_eq!(result.output(), r#"[("1", Success), ("2", Success)]"#);
}

#[tokio::test]
async fn a_call_that_waits_under_the_id_of_another_cannot_be_answered() {
    let model = script(vec![calls(&[("pay", "1"), ("look", "1")]), done()]);
    let builder = Agent::<()>::builder(model).tools([echo("pay").with_approval(), echo("look")]);
    let agent = builder.allow_deferred().build().expect("agent");
    let error = agent.run("Go.").await.expect_err("an approval could be for either");
    assert_eq!(error.kind(), ErrorKind::ModelBehavior);
    assert!(error.to_string().contains("`pay`"), "{error}");
}
