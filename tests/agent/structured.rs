//! Outputs that the model writes as its text.

use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright::message::{FinishReason, ModelResponse, Outcome, ResponsePart, TextPart, ToolCallPart};
use toolwright::model::{FunctionModel, Model, ModelInput, RequestCache, TestModel};
use toolwright::{Agent, AgentBuilder, EndStrategy, ErrorKind, ModelRetry, OutputMode, OutputSpec, OutputTool, Result};

use crate::support::{answers, calls, echo, script};

/// A piece of fruit.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
struct Fruit {
    /// What it is called.
    name: String,
    grams: u32,
}

fn pear() -> Fruit {
    Fruit { name: "pear".to_owned(), grams: 150 }
}

const PEAR: &str = r#"{"name": "pear", "grams": 150}"#;

fn fruits(responses: Vec<ModelResponse>) -> AgentBuilder<(), Fruit> {
    Agent::<()>::builder(script(responses)).output(OutputSpec::of().native())
}

fn text(text: &str) -> ModelResponse {
    ModelResponse::text(text)
}

#[tokio::test]
async fn the_text_is_read_as_the_output() {
    for answer in [PEAR.to_owned(), format!("```json\n{PEAR}\n```")] {
        let agent = fruits(vec![text(&answer)]).build().expect("agent");
        assert_eq!(agent.run("Go.").await.expect("run").into_output(), pear());
    }
}

#[tokio::test]
async fn the_model_is_told_what_the_text_is_to_be() {
    for (prompted, mode) in [(false, OutputMode::Native), (true, OutputMode::Prompted)] {
        let seen = Arc::new(Mutex::new(None));
        let asked = seen.clone();
        let model = FunctionModel::new(move |input: &ModelInput| {
            *asked.lock().expect("asked") = Some(input.clone());
            text(PEAR)
        });
        let spec = OutputSpec::tool(OutputTool::<Fruit>::new().named("fruit"));
        let spec = if prompted { spec.prompted() } else { spec.native() };
        let agent = Agent::<()>::builder(model).instructions("You help.").output(spec).build().expect("agent");
        let result = agent.run("Go.").await.expect("run");
        let input = seen.lock().expect("seen").take().expect("it was asked");
        let format = input.output_format.expect("a format");
        assert_eq!((format.mode, &*format.name), (mode, "fruit"));
        assert_eq!(format.description.as_deref(), Some("A piece of fruit."));
        assert_eq!(format.schema["required"], json!(["name", "grams"]));
        assert!(input.output_tools.is_empty() && input.allow_text);
        let told = input.instructions.expect("instructions");
        assert!(told.starts_with("You help."));
        assert_eq!(told.contains(r#""grams""#), prompted, "{told}");
        // What only this request needs is not kept.
        assert!(!result.history().to_json().contains("grams\\\":{"));
    }
}

#[tokio::test]
async fn what_does_not_fit_is_told_to_the_model_as_long_as_the_budget_lasts() {
    let agent = fruits(vec![text(r#"{"name": 7, "grams": 150}"#), text(PEAR)]).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(*result.output(), pear());
    let stored = result.history().to_json();
    assert!(stored.contains("retry-feedback") && stored.contains("validation_error"), "{stored}");

    let agent = fruits(vec![text("a pear, I think")]).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("never JSON");
    assert_eq!(error.kind(), ErrorKind::ModelBehavior);
    assert!(error.to_string().contains("(1)"), "{error}");
}

#[tokio::test]
async fn an_output_function_can_refuse_or_fail() {
    let ripe = |fruit: Fruit| -> std::result::Result<Fruit, toolwright::error::BoxError> {
        match fruit.grams {
            0 => Err("no scales".into()),
            1..100 => Err(ModelRetry::new("A bigger one.").into()),
            _ => Ok(fruit),
        }
    };
    let with = |answers: &[&str]| {
        let spec = OutputSpec::tool(OutputTool::<Fruit>::new().try_map(ripe)).prompted();
        Agent::<()>::builder(script(answers.iter().map(|answer| text(answer)).collect()))
            .output(spec)
            .build()
            .expect("agent")
    };
    let small = r#"{"name": "pear", "grams": 50}"#;
    let result = with(&[small, PEAR]).run("Go.").await.expect("run");
    assert_eq!(*result.output(), pear());
    assert!(result.history().to_json().contains("A bigger one."));
    let error = with(&[r#"{"name": "pear", "grams": 0}"#]).run("Go.").await.expect_err("its own error");
    assert_eq!(error.kind(), ErrorKind::Tool, "{error}");
}

fn with_call(answer: &str) -> ModelResponse {
    ModelResponse::new(vec![
        ResponsePart::Text(TextPart::new(answer)),
        ResponsePart::ToolCall(ToolCallPart::new("look", json!({})).with_id("l")),
    ])
}

#[tokio::test]
async fn with_early_a_text_that_fits_comes_before_calls() {
    let early = |answer: &str| {
        fruits(vec![with_call(answer), text(PEAR)])
            .tool(echo("look"))
            .end_strategy(EndStrategy::Early)
            .retries(0)
            .build()
            .expect("agent")
    };
    let result = early(PEAR).run("Go.").await.expect("run");
    assert_eq!((result.output(), result.usage().tool_calls), (&pear(), 0));
    assert_eq!(answers(result.history()), [("l".to_owned(), Outcome::Success)]);
    // One that does not fit costs nothing: the calls are run.
    let result = early("Let me look.").run("Go.").await.expect("run");
    assert_eq!((result.output(), result.usage().tool_calls), (&pear(), 1));
}

#[tokio::test]
async fn with_the_other_strategies_calls_are_run_and_the_model_goes_on() {
    for strategy in [EndStrategy::Graceful, EndStrategy::Exhaustive] {
        let last = r#"{"name": "apple", "grams": 90}"#;
        let agent =
            fruits(vec![with_call(PEAR), text(last)]).tool(echo("look")).end_strategy(strategy).build().expect("agent");
        let result = agent.run("Go.").await.expect("run");
        assert_eq!((result.output().name.as_str(), result.usage().tool_calls), ("apple", 1));
    }
}

#[tokio::test]
async fn a_text_that_the_token_limit_cut_off_is_an_error_at_once() {
    let mut cut = text(r#"{"name": "pe"#);
    cut.finish_reason = Some(FinishReason::Length);
    let agent = fruits(vec![cut]).retries(5).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("it is cut off");
    assert!(error.to_string().contains("token limit"), "{error}");
    assert_eq!(error.history().expect("history").len(), 2);
}

#[tokio::test]
async fn a_model_that_cannot_be_held_to_a_schema_is_misuse() {
    struct Plain;
    impl Model for Plain {
        fn name(&self) -> &str {
            "plain"
        }

        fn system(&self) -> &str {
            "plain"
        }

        async fn request(&self, _: &ModelInput, _: &mut RequestCache) -> Result<ModelResponse> {
            Ok(text(PEAR))
        }
    }
    let native = Agent::<()>::builder(Plain).output(OutputSpec::<Fruit>::of().native()).build().expect("agent");
    let error = native.run("Go.").await.expect_err("it cannot");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("`plain`") && error.to_string().contains(".prompted()"), "{error}");
    let prompted = Agent::<()>::builder(Plain).output(OutputSpec::<Fruit>::of().prompted()).build().expect("agent");
    assert_eq!(*prompted.run("Go.").await.expect("run").output(), pear());
}

#[test]
fn such_an_output_is_of_one_type_alone() {
    let two = OutputSpec::tool(OutputTool::<Fruit>::new()).or_tool(OutputTool::<Fruit>::new().named("other")).native();
    let worded = OutputSpec::<Fruit>::of().or_text(|_| pear()).prompted();
    for spec in [two, worded] {
        let error = Agent::<()>::builder(TestModel::new()).output(spec).build().expect_err("not alone");
        assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
    }
}

#[tokio::test]
async fn the_test_model_writes_a_value_of_the_schema_or_the_one_it_is_given() {
    let with = |model: TestModel| {
        Agent::<()>::builder(model).output(OutputSpec::<Fruit>::of().native()).build().expect("agent")
    };
    let made = with(TestModel::new()).run("Go.").await.expect("run").into_output();
    assert_eq!(made, Fruit { name: "a".to_owned(), grams: 0 });
    let given = TestModel::new().custom_output_args(json!({"name": "pear", "grams": 150}));
    assert_eq!(with(given).run("Go.").await.expect("run").into_output(), pear());
    let of_no_object = Agent::<()>::builder(TestModel::new()).output(OutputSpec::<Vec<u32>>::of().native());
    assert_eq!(of_no_object.build().expect("agent").run("Go.").await.expect("run").into_output(), [0]);
}

#[tokio::test]
async fn a_paused_run_still_pauses() {
    let agent = fruits(vec![calls(&[("pay", "p")]), text(PEAR)])
        .tool(echo("pay").with_approval())
        .allow_deferred()
        .build()
        .expect("agent");
    let paused = agent.run("Go.").await.expect("run");
    let history = paused.history().clone();
    let requests = paused.into_output().deferred().expect("it waits");
    let result = agent.resume(history).results(requests.approve_all()).await.expect("run");
    assert_eq!(result.into_output().done().expect("it is done"), pear());
}
