//! At most so many requests at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use toolwright::message::ModelResponse;
use toolwright::model::{ConcurrencyLimit, FallbackModel, FunctionModel, LimitedModel, ModelInput, TestModel, request};
use toolwright::{ErrorKind, Model};

/// A model that takes a while, and the most requests it had at a time.
fn slow() -> (FunctionModel, Arc<AtomicUsize>) {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = most.clone();
    let model = FunctionModel::new_async(move |_| {
        let (now, most) = (now.clone(), most.clone());
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(10)).await;
            now.fetch_sub(1, Ordering::Relaxed);
            ModelResponse::text("done")
        }
    });
    (model, seen)
}

async fn ask(model: &impl Model) -> Result<ModelResponse, toolwright::Error> {
    request(model, &ModelInput::prompt("Hi.")).await
}

#[tokio::test(start_paused = true)]
async fn no_more_than_the_limit_are_under_way() {
    let (model, most) = slow();
    let model = LimitedModel::new(model, 3);
    let answers = futures_util::future::join_all((0..10).map(|_| ask(&model))).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(most.load(Ordering::Relaxed), 3);
}

#[tokio::test(start_paused = true)]
async fn models_share_a_limit() {
    let (one, most) = slow();
    let limit = ConcurrencyLimit::new(2);
    let one = Arc::new(one);
    let (first, second) = (LimitedModel::new(one.clone(), limit.clone()), LimitedModel::new(one, limit));
    let asked = (0..6).map(|turn| {
        let model = if turn % 2 == 0 { &first } else { &second };
        ask(model)
    });
    assert!(futures_util::future::join_all(asked).await.iter().all(Result::is_ok));
    assert_eq!(most.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_refuses_and_a_dropped_request_makes_room() {
    let (model, _) = slow();
    let limit = ConcurrencyLimit::new(1).queue(1);
    let model = LimitedModel::new(model, limit.clone());
    let (running, waiting) = (ask(&model), ask(&model));
    tokio::pin!(running);
    let mut waiting = Box::pin(waiting);
    assert!(futures_util::poll!(&mut running).is_pending() && futures_util::poll!(&mut waiting).is_pending());
    assert_eq!(limit.waiting(), 1);
    let refused = ask(&model).await.expect_err("it is full");
    assert!(refused.is_retryable() && refused.kind() == ErrorKind::Provider);
    drop(waiting);
    assert_eq!(limit.waiting(), 0);
    assert!(running.await.is_ok() && ask(&model).await.is_ok());
}

#[tokio::test]
async fn a_request_cannot_wait_for_itself() {
    let limit = ConcurrencyLimit::new(1);
    let inner = LimitedModel::new(TestModel::new(), limit.clone());
    let between = FallbackModel::new(inner.clone()).or(TestModel::new());
    let error = ask(&LimitedModel::new(between, limit.clone())).await.expect_err("it would wait for ever");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(ask(&LimitedModel::new(inner, 1)).await.is_ok(), "two limits are no circle");
}

#[test]
fn without_a_runtime_one_can_wait() {
    let model = LimitedModel::new(TestModel::new().custom_output_text("done"), 0);
    assert!(
        toolwright::model::request_blocking(&model, &ModelInput::prompt("Hi.")).is_ok(),
        "at least one is let through"
    );
}
