//! Models in order, of which the next is asked where one fails.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use toolwright::message::{AttemptOutcome, FinishReason, History, ModelResponse, ResponsePart, TextPart, ToolCallPart};
use toolwright::model::{
    FallbackModel, FunctionModel, ModelInput, PartEvent, PartEvents, RequestCache, TestModel, request,
};
use toolwright::{Agent, Error, ErrorKind, Event, Model, ModelSettings, OutputSpec, tool, tools};

fn failing(status: u16) -> FunctionModel {
    FunctionModel::new(move |_| {
        Err::<ModelResponse, _>(Error::provider(format!("status {status}")).with_status(status))
    })
}

fn saying(text: &'static str) -> FunctionModel {
    FunctionModel::new(move |_| ModelResponse::text(text))
}

/// A model that counts how often it is asked.
fn counted(asked: &Arc<AtomicUsize>, answer: &'static str) -> FunctionModel {
    let asked = asked.clone();
    FunctionModel::new(move |_| {
        asked.fetch_add(1, Ordering::Relaxed);
        ModelResponse::text(answer)
    })
}

fn text(response: &ModelResponse) -> &str {
    match response.parts.as_slice() {
        [ResponsePart::Text(text)] => &text.content,
        parts => panic!("one text was expected: {parts:?}"),
    }
}

/// A town's weather.
#[tool]
fn weather(town: String) -> String {
    format!("rain in {town}")
}

#[tokio::test]
async fn the_next_model_answers_and_the_attempts_are_told() {
    let model = FallbackModel::new(failing(503)).or(failing(401)).or(saying("hello"));
    let agent = Agent::<()>::builder(model).build().expect("agent");
    let result = agent.run("Hi.").await.expect("the third answers");
    assert_eq!(result.output(), "hello");
    let Some(toolwright::message::Message::Response(response)) = result.history().iter().last() else {
        panic!("a response comes last");
    };
    let attempts: Vec<_> =
        response.failed_attempts.iter().map(|attempt| (attempt.outcome, attempt.error.as_deref())).collect();
    assert_eq!(attempts, [(AttemptOutcome::Error, Some("status 503")), (AttemptOutcome::Error, Some("status 401"))]);
    let notes = result.steps()[0].notes.join("\n");
    assert!(notes.contains("status 503") && notes.contains("status 401"), "{notes}");
    assert_eq!(result.usage().requests, 1, "one response came of it");

    let stored = result.history().to_json();
    let loaded = History::from_json(&stored).expect("a history");
    assert_eq!(loaded.to_json(), stored);
}

#[tokio::test]
async fn a_model_that_fails_mid_run_is_passed_over_for_that_step_alone() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let flaky = FunctionModel::new(move |_: &ModelInput| match count.fetch_add(1, Ordering::Relaxed) {
        0 => Ok(ModelResponse::new(vec![ToolCallPart::new("weather", serde_json::json!({"town": "Bonn"})).into()])),
        1 => Err(Error::provider("overloaded").with_status(529)),
        _ => Ok(ModelResponse::text("never asked")),
    });
    let backup = FunctionModel::new(|input: &ModelInput| {
        assert_eq!(input.history.len(), 3, "it is asked with all that came before");
        ModelResponse::text("It rains in Bonn.")
    });
    let agent =
        Agent::<()>::builder(FallbackModel::new(flaky).or(backup)).tools(tools![weather]).build().expect("agent");
    let result = agent.run("How is it in Bonn?").await.expect("the second answers");
    assert_eq!(result.output(), "It rains in Bonn.");
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn when_all_fail_the_error_names_each() {
    let model = FallbackModel::new(failing(401)).or(failing(503));
    let error = request(&model, &ModelInput::prompt("Hi.")).await.expect_err("none answers");
    let words = error.to_string();
    assert!(words.contains("status 401") && words.contains("status 503"), "{words}");
    assert_eq!((error.kind(), error.status(), error.is_retryable()), (ErrorKind::Provider, Some(503), true));
    assert_eq!(error.failed_attempts().len(), 2);
}

#[tokio::test]
async fn other_errors_end_the_request() {
    let asked = Arc::new(AtomicUsize::new(0));
    let misuse = || FunctionModel::new(|_| Err::<ModelResponse, _>(Error::misuse("no such tool")));
    let model = FallbackModel::new(failing(500)).or(misuse()).or(counted(&asked, "hello"));
    let error = request(&model, &ModelInput::prompt("Hi.")).await.expect_err("misuse stays");
    assert_eq!((error.kind(), error.failed_attempts().len()), (ErrorKind::Misuse, 1));

    let rate_limits = |error: &Error| error.status() == Some(429);
    let model = FallbackModel::new(failing(500)).or(counted(&asked, "hello")).fallback_on(rate_limits);
    assert!(request(&model, &ModelInput::prompt("Hi.")).await.is_err());
    let model = FallbackModel::new(failing(429)).or(counted(&asked, "hello")).fallback_on(rate_limits);
    assert!(request(&model, &ModelInput::prompt("Hi.")).await.is_ok());
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn responses_that_are_not_wanted_cost_tokens_but_no_request() {
    let filtered = FunctionModel::new(|_| {
        let mut response = ModelResponse::text("I can't");
        response.finish_reason = Some(FinishReason::ContentFilter);
        response.usage.output_tokens = 7;
        response
    });
    let unwanted = |response: &ModelResponse| response.finish_reason == Some(FinishReason::ContentFilter);
    let model = FallbackModel::new(filtered).or(saying("Sure.")).fallback_on_response(unwanted);
    let agent = Agent::<()>::builder(model.clone()).build().expect("agent");
    let result = agent.run("Hi.").await.expect("the second answers");
    assert_eq!(result.output(), "Sure.");
    assert_eq!((result.usage().requests, result.usage().output_tokens), (1, 7));

    let mut told = String::new();
    let mut stream = agent.run("Hi.").stream();
    while let Some(event) = stream.next().await {
        if let Event::Part(event) = event {
            told.extend(event.text());
        }
    }
    assert_eq!(told, "Sure.", "nothing is told of what was not taken");

    let only = FallbackModel::new(model).or(failing(500)).fallback_on_response(|_| true);
    let error = request(&only, &ModelInput::prompt("Hi.")).await.expect_err("nothing is taken");
    let outcomes: Vec<_> = error.failed_attempts().iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(outcomes, [AttemptOutcome::Rejected, AttemptOutcome::Rejected, AttemptOutcome::Error]);
}

/// A model that breaks off before or after its first words.
struct BreaksOff {
    begins: bool,
}

impl Model for BreaksOff {
    fn name(&self) -> &str {
        "breaks-off"
    }

    fn system(&self) -> &str {
        "test"
    }

    async fn request(&self, _: &ModelInput, _: &mut RequestCache) -> Result<ModelResponse, Error> {
        Err(Error::provider("broke off"))
    }

    async fn request_stream(
        &self,
        _: &ModelInput,
        _: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> Result<ModelResponse, Error> {
        if self.begins {
            events.start(0, &TextPart::new("I").into());
        }
        Err(Error::provider("broke off"))
    }
}

#[tokio::test]
async fn streams_move_on_until_something_was_told() {
    for (begins, expected) in [(false, Some("hello")), (true, None)] {
        let model = FallbackModel::new(BreaksOff { begins }).or(saying("hello"));
        let told = Mutex::new(String::new());
        let answer = toolwright::model::request_stream(&model, &ModelInput::prompt("Hi."), |event: PartEvent| {
            told.lock().expect("no panic").extend(event.text());
        })
        .await;
        assert_eq!(answer.as_ref().ok().map(text), expected);
        assert_eq!(told.into_inner().expect("no panic"), if begins { "I" } else { "hello" });
    }
}

#[tokio::test]
async fn each_model_has_its_own_settings_and_cache() {
    /// Notes what it kept and what it is asked with.
    struct Keeps(&'static str, ModelSettings, bool);
    impl Model for Keeps {
        fn name(&self) -> &str {
            self.0
        }

        fn system(&self) -> &str {
            "test"
        }

        fn settings(&self) -> Option<&ModelSettings> {
            Some(&self.1)
        }

        async fn request(&self, _: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse, Error> {
            let kept = cache.get::<Vec<&str>>();
            kept.push(self.0);
            assert!(kept.iter().all(|name| *name == self.0), "{kept:?}");
            let note = format!("{} kept {}", self.0, kept.len());
            cache.note(note);
            if self.2 { Err(Error::provider("busy")) } else { Ok(ModelResponse::text("done")) }
        }
    }
    let model = FallbackModel::new(Keeps("first", ModelSettings::new().seed(1), true)).or(Keeps(
        "second",
        ModelSettings::new().seed(2),
        false,
    ));
    let mut cache = RequestCache::default();
    for _ in 0..2 {
        model.request(&ModelInput::prompt("Hi."), &mut cache).await.expect("the second answers");
    }
    let notes = cache.notes().join("\n");
    assert!(notes.contains("first kept 2") && notes.contains("second kept 2"), "{notes}");
}

#[tokio::test]
async fn native_outputs_need_every_model() {
    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Town {
        name: String,
    }
    struct Plain;
    impl Model for Plain {
        fn name(&self) -> &str {
            "plain"
        }

        fn system(&self) -> &str {
            "test"
        }

        async fn request(&self, _: &ModelInput, _: &mut RequestCache) -> Result<ModelResponse, Error> {
            Err(Error::provider("busy"))
        }
    }
    let agent = |model| Agent::<()>::builder(model).output(OutputSpec::<Town>::of().native()).build().expect("agent");
    assert!(agent(FallbackModel::new(TestModel::new()).or(saying(r#"{"name": "Bonn"}"#))).run("Hi.").await.is_ok());
    let error = agent(FallbackModel::new(TestModel::new()).or(Plain)).run("Hi.").await.expect_err("one cannot");
    assert_eq!(error.kind(), ErrorKind::Misuse);
}
