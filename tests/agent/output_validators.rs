//! Functions that look at an output before it ends the run.

use std::error::Error as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright::error::BoxError;
use toolwright::message::{
    Message, ModelResponse, Outcome, RequestPart, ResponsePart, RetryCause, TextPart, ToolCallPart,
};
use toolwright::model::{Model, ModelInput, PartDelta, PartEvent, PartEvents, RequestCache, TestModel};
use toolwright::{
    Agent, AgentBuilder, CallDeferred, EndStrategy, ErrorKind, Event, MaybeDeferred, ModelRetry, OutputSpec,
    OutputTool, Result, Retries, RunContext, ToolFailed,
};

use crate::support::{answers, calls, done, echo, returns, said, script, tool};

/// A piece of fruit.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
struct Fruit {
    grams: u32,
}

/// A response that gives an output: by id and weight.
fn fruits(fruits: &[(&str, u32)]) -> ModelResponse {
    let call = |(id, grams): &(&str, u32)| ToolCallPart::new("final_result", json!({"grams": grams})).with_id(*id);
    ModelResponse::new(fruits.iter().map(|fruit| ResponsePart::ToolCall(call(fruit))).collect())
}

fn heavy(_: &RunContext<()>, fruit: Fruit) -> Result<Fruit, ModelRetry> {
    if fruit.grams < 100 { Err(ModelRetry::new("A bigger one.")) } else { Ok(fruit) }
}

fn by_tool(responses: Vec<ModelResponse>) -> AgentBuilder<(), Fruit> {
    Agent::<()>::builder(script(responses)).output(OutputSpec::of()).output_validator(heavy)
}

/// What the model was asked again for, and how: cause, attempt and budget.
fn asked_again(message: &Message) -> Vec<(String, RetryCause, Option<u32>, Option<u32>)> {
    let Message::Request(request) = message else { panic!("no request: {message:?}") };
    let feedback = request.parts.iter().filter_map(|part| match part {
        RequestPart::RetryFeedback(part) => Some((part.content.as_str()?, part.retry.clone()?)),
        RequestPart::ToolReturn(part) => Some((said(&part.content), part.retry.clone()?)),
        _ => None,
    });
    feedback.map(|(text, retry)| (text, retry.cause, retry.attempt, retry.max_retries)).collect()
}

#[tokio::test]
async fn several_run_in_order_each_on_what_the_one_before_gave() {
    async fn with_b(_: RunContext<()>, text: String) -> String {
        tokio::task::yield_now().await;
        text + "b"
    }
    async fn with_d(ctx: RunContext<()>, text: String) -> Result<String, BoxError> {
        assert!(ctx.tool_name().is_none());
        Ok(text + "d")
    }
    let agent = Agent::<()>::builder(script(vec![done()]))
        .output_validator(|_: &RunContext<()>, text: String| text + "a")
        .output_validator(with_b)
        .output_validator(|_: RunContext<()>, text: String| Ok::<_, ModelRetry>(text + "c"))
        .output_validator(with_d)
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(result.output(), "doneabcd");
    // What the model said stays as it said it.
    assert!(result.history().to_json().contains(r#""done""#));
}

#[tokio::test]
async fn a_text_that_is_refused_is_asked_for_again_within_the_outputs_budget() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = seen.clone();
    let long = move |ctx: &RunContext<()>, text: String| {
        told.lock().expect("told").push((ctx.retry(), ctx.max_retries(), ctx.last_attempt()));
        if text.len() < 3 { Err(ModelRetry::new("Longer.")) } else { Ok(text) }
    };
    let agent = |answers: &[&str]| {
        Agent::<()>::builder(script(answers.iter().map(|text| ModelResponse::text(*text)).collect()))
            .retries(Retries::output(2).with_output(2))
            .output_validator(long.clone())
            .build()
            .expect("agent")
    };
    let result = agent(&["a", "ab", "abc"]).run("Go.").await.expect("run");
    assert_eq!(result.output(), "abc");
    assert_eq!(*seen.lock().expect("seen"), [(0, 2, false), (1, 2, false), (2, 2, true)]);
    let history: Vec<_> = result.history().iter().cloned().collect();
    assert_eq!(asked_again(&history[2]), [("Longer.".to_owned(), RetryCause::ModelRetry, Some(1), Some(2))]);

    let error = agent(&["a"]).run("Go.").await.expect_err("never longer");
    assert_eq!(error.kind(), ErrorKind::ModelBehavior);
    assert!(error.to_string().contains("output retries (2)"), "{error}");
    assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("Longer."));
}

#[tokio::test]
async fn an_output_tool_that_is_refused_is_called_again_within_its_own_budget() {
    let tool = || OutputTool::<Fruit>::new().with_retries(2);
    let agent = |responses: Vec<ModelResponse>| {
        Agent::<()>::builder(script(responses))
            .output(OutputSpec::tool(tool()))
            .retries(Retries::output(0))
            .output_validator(|ctx: &RunContext<()>, fruit: Fruit| {
                assert_eq!((ctx.tool_name(), ctx.tool_call_id().is_some()), (Some("final_result"), true));
                heavy(ctx, fruit)
            })
            .build()
            .expect("agent")
    };
    let small = || fruits(&[("f", 1)]);
    let result = agent(vec![small(), small(), fruits(&[("f", 200)])]).run("Go.").await.expect("run");
    assert_eq!(result.output(), &Fruit { grams: 200 });
    let outcomes: Vec<_> = answers(result.history()).into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(outcomes, [Outcome::Retried, Outcome::Retried, Outcome::Success]);
    let history: Vec<_> = result.history().iter().cloned().collect();
    assert_eq!(asked_again(&history[2]), [("A bigger one.".to_owned(), RetryCause::ModelRetry, Some(1), Some(2))]);
    assert_eq!(asked_again(&history[4])[0].2, Some(2));

    let error = agent(vec![small()]).run("Go.").await.expect_err("never bigger");
    assert!(error.to_string().contains("output retries (2)"), "{error}");
    assert_eq!(error.history().expect("history").len(), 7, "the last call is answered by nobody, and marked so");
}

#[tokio::test]
async fn a_structured_text_is_looked_at_too() {
    let spec = [OutputSpec::<Fruit>::of().native(), OutputSpec::of().prompted()];
    for spec in spec {
        let texts = [r#"{"grams": 1}"#, r#"{"grams": 150}"#].map(ModelResponse::text);
        let agent =
            Agent::<()>::builder(script(texts.into())).output(spec).output_validator(heavy).build().expect("agent");
        let result = agent.run("Go.").await.expect("run");
        assert_eq!((result.output().grams, result.usage().requests), (150, 2));
    }
}

#[tokio::test]
async fn any_other_error_ends_the_run_and_is_its_source() {
    #[derive(Debug, PartialEq)]
    struct Closed;
    impl std::fmt::Display for Closed {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("closed")
        }
    }
    impl std::error::Error for Closed {}

    let agent = by_tool(vec![fruits(&[("f", 200)])])
        .output_validator(|_: &RunContext<()>, _: Fruit| Err::<Fruit, _>(Closed))
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("it is closed");
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Tool, "the output validator number 2 failed"));
    assert_eq!(error.source().and_then(|source| source.downcast_ref()), Some(&Closed));

    // What means something from a tool means nothing here.
    let failures: [fn() -> BoxError; 2] = [|| ToolFailed::new("No.").into(), || CallDeferred::new().into()];
    for failure in failures {
        let agent = Agent::<()>::builder(script(vec![done()]))
            .output_validator(move |_: &RunContext<()>, _: String| Err::<String, _>(failure()))
            .build()
            .expect("agent");
        let error = agent.run("Go.").await.expect_err("it fails");
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Tool, "the output validator failed"));
        assert_eq!(error.source().map(ToString::to_string), Some(failure().to_string()));
    }
}

#[tokio::test]
async fn a_mistake_of_the_callers_inside_one_stays_theirs() {
    let inner = Agent::<()>::builder(script(vec![calls(&[("pay", "p")])]))
        .tool(echo("pay").with_approval())
        .build()
        .expect("agent");
    let agent = Agent::<()>::builder(script(vec![done()]))
        .output_validator(move |_: RunContext<()>, text: String| {
            let inner = inner.clone();
            async move { inner.run(text).await.map(|result| result.into_output()) }
        })
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("the inner agent may not pause");
    assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
}

#[tokio::test]
async fn a_panic_is_its_error() {
    let agent = Agent::<()>::builder(script(vec![done()]))
        .output_validator(|_: &RunContext<()>, _: String| -> String { panic!("out of paper") })
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("it panics");
    assert_eq!(error.kind(), ErrorKind::Tool);
    assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("it panicked: out of paper"));
}

#[tokio::test]
async fn calls_that_wait_are_not_looked_at() {
    let paid =
        |responses: Vec<ModelResponse>| Agent::<()>::builder(script(responses)).tool(echo("pay").with_approval());
    let loud = |_: &RunContext<()>, text: String| text.to_uppercase();
    let before = || paid(vec![calls(&[("pay", "p")]), done()]).output_validator(loud).allow_deferred();
    let after = || paid(vec![calls(&[("pay", "p")]), done()]).allow_deferred().output_validator(loud);
    for agent in [before(), after()] {
        let agent = agent.build().expect("agent");
        let paused = agent.run("Go.").await.expect("run");
        let history = paused.history().clone();
        let MaybeDeferred::Deferred(requests) = paused.into_output() else { panic!("it waits") };
        let result = agent.resume(history).results(requests.approve_all()).await.expect("run");
        assert_eq!(result.into_output().done().as_deref(), Some("DONE"));
    }
    // One that takes what may have paused is not asked either.
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let agent = paid(vec![calls(&[("pay", "p")])])
        .allow_deferred()
        .output_validator(move |_: &RunContext<()>, output: MaybeDeferred<String>| {
            count.fetch_add(1, Ordering::Relaxed);
            output
        })
        .build()
        .expect("agent");
    assert!(agent.run("Go.").await.expect("run").into_output().deferred().is_some());
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn with_early_a_refused_text_costs_nothing_and_calls_are_run() {
    let with_call = |text: &str| {
        ModelResponse::new(vec![
            ResponsePart::Text(TextPart::new(text)),
            ResponsePart::ToolCall(ToolCallPart::new("look", json!({})).with_id("l")),
        ])
    };
    let agent = |text: &str| {
        Agent::<()>::builder(script(vec![with_call(text), ModelResponse::text(r#"{"grams": 300}"#)]))
            .output(OutputSpec::<Fruit>::of().native())
            .output_validator(heavy)
            .tool(echo("look"))
            .end_strategy(EndStrategy::Early)
            .retries(0)
            .build()
            .expect("agent")
    };
    let result = agent(r#"{"grams": 1}"#).run("Go.").await.expect("run");
    assert_eq!((result.output().grams, result.usage().tool_calls), (300, 1));
    let result = agent(r#"{"grams": 200}"#).run("Go.").await.expect("run");
    assert_eq!((result.output().grams, result.usage().tool_calls), (200, 0));
}

#[tokio::test]
async fn an_output_that_is_refused_leaves_room_for_the_next_one() {
    let both = || vec![fruits(&[("a", 1), ("b", 200)])];
    for strategy in [EndStrategy::Early, EndStrategy::Graceful] {
        let agent = by_tool(both()).end_strategy(strategy).build().expect("agent");
        let result = agent.run("Go.").await.expect("run");
        assert_eq!(result.output().grams, 200);
        let expected = [("a".to_owned(), Outcome::Retried), ("b".to_owned(), Outcome::Success)];
        assert_eq!(answers(result.history()), expected, "{strategy:?}");
        let error = by_tool(both()).retries(0).end_strategy(strategy).build().expect("agent").run("Go.").await;
        assert_eq!(error.expect_err("no budget").kind(), ErrorKind::ModelBehavior, "{strategy:?}");
    }
    // The output that stands costs the refused one nothing.
    let agent = by_tool(both()).retries(0).end_strategy(EndStrategy::Exhaustive).build().expect("agent");
    assert_eq!(agent.run("Go.").await.expect("run").output().grams, 200);
}

#[tokio::test]
async fn an_output_that_comes_second_is_not_looked_at() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let look = {
        let seen = seen.clone();
        move |_: &RunContext<()>, fruit: Fruit| {
            seen.lock().expect("seen").push(fruit.grams);
            fruit
        }
    };
    for (strategy, expected) in [(EndStrategy::Graceful, vec![100]), (EndStrategy::Exhaustive, vec![100, 200])] {
        let agent = by_tool(vec![fruits(&[("a", 100), ("b", 200)])]).output_validator(look.clone());
        let result = agent.end_strategy(strategy).build().expect("agent").run("Go.").await.expect("run");
        assert_eq!(result.output().grams, 100);
        assert_eq!(std::mem::take(&mut *seen.lock().expect("seen")), expected, "{strategy:?}");
    }
}

#[tokio::test]
async fn a_tool_that_asks_for_a_retry_comes_before_an_output_that_passed() {
    let mut first = fruits(&[("a", 200)]);
    first.parts.push(ToolCallPart::new("look", json!({})).with_id("l").into());
    let look = tool("look", |_: RunContext<()>| async { Err(ModelRetry::new("Again.").into()) });
    let agent = by_tool(vec![first, fruits(&[("b", 1)]), fruits(&[("c", 300)])]).tool(look).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(result.output().grams, 300);
    let texts: Vec<_> = returns(result.history()).iter().map(|part| said(&part.content)).collect();
    assert!(texts[0].starts_with("Not accepted"), "{texts:?}");
    assert_eq!(texts[2], "A bigger one.");
}

/// A model that says "one two three" word by word.
struct InPieces;

impl Model for InPieces {
    fn name(&self) -> &str {
        "pieces"
    }

    fn system(&self) -> &str {
        "test"
    }

    async fn request(&self, _: &ModelInput, _: &mut RequestCache) -> Result<ModelResponse> {
        Ok(ModelResponse::text("one two three"))
    }

    async fn request_stream(
        &self,
        _: &ModelInput,
        _: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse> {
        let mut part = ResponsePart::Text(TextPart::new("one"));
        events.start(0, &part);
        for word in [" two", " three"] {
            let more = PartDelta::Text(word.to_owned());
            more.apply(&mut part);
            events.delta(0, || more);
            tokio::task::yield_now().await;
        }
        events.end(0, &part);
        Ok(ModelResponse::new(vec![part]))
    }
}

#[tokio::test]
async fn a_streamed_output_is_looked_at_once_and_whole() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = seen.clone();
    let agent = Agent::<()>::builder(InPieces)
        .output_validator(move |_: &RunContext<()>, text: String| {
            told.lock().expect("told").push(text.clone());
            text.to_uppercase()
        })
        .build()
        .expect("agent");
    let mut run = agent.run("Go.").stream();
    let mut pieces = 0;
    while let Some(event) = run.next().await {
        pieces += usize::from(matches!(event, Event::Part(PartEvent::Delta { .. })));
    }
    assert_eq!(pieces, 2);
    assert_eq!(run.finish().await.expect("run").output(), "ONE TWO THREE");
    assert_eq!(*seen.lock().expect("seen"), ["one two three"]);
}

#[tokio::test(start_paused = true)]
async fn one_that_waits_is_stopped_with_its_run() {
    async fn forever(_: RunContext<()>, fruit: Fruit) -> Fruit {
        std::future::pending::<()>().await;
        fruit
    }
    let agent = by_tool(vec![fruits(&[("a", 200)])]).output_validator(forever).build().expect("agent");
    let error = agent.run("Go.").deadline(Duration::from_secs(1)).await.expect_err("its time is up");
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    // The history can be used again: the call counts as interrupted.
    let next = Agent::<()>::builder(script(vec![done()])).build().expect("agent");
    let history = error.history().expect("history").clone();
    assert_eq!(next.run("Go on.").history(history).await.expect("run").output(), "done");
}

#[tokio::test]
async fn what_a_history_ends_with_is_looked_at_when_it_is_taken_up() {
    let first = Agent::<()>::builder(script(vec![ModelResponse::text("a")])).build().expect("agent");
    let history = first.run("Go.").await.expect("run").history().clone();
    let agent = Agent::<()>::builder(script(vec![ModelResponse::text("abc")]))
        .output_validator(|_: &RunContext<()>, text: String| match text.len() {
            1 => Err(ModelRetry::new("Longer.")),
            _ => Ok(text),
        })
        .build()
        .expect("agent");
    let result = agent.resume(history).await.expect("run");
    assert_eq!((result.output().as_str(), result.usage().requests), ("abc", 1));
}

#[test]
fn one_that_comes_before_the_output_it_is_to_look_at_is_misuse() {
    let error = Agent::<()>::builder(TestModel::new())
        .output_validator(|_: &RunContext<()>, text: String| text)
        .output(OutputSpec::<Fruit>::of())
        .build()
        .expect_err("it would look at a text");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains(".output_validator(…)"), "{error}");
}
