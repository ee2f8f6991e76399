//! Responses that a provider has not done with, as it runs tools of its own: asked once more, they go on.

use super::hooks::Asking;
use crate::error::Result;
use crate::message::{MessageState, ModelResponse};
use crate::model::ModelInput;

impl<D: Send + Sync + 'static> Asking<'_, D> {
    /// Asks until the response is whole: what the provider suspends is sent back to it, and what it adds is joined to it. Each
    /// time is a request that counts.
    pub(super) async fn whole(&mut self, input: &ModelInput) -> Result<ModelResponse> {
        let mut response = self.once(input, 0).await?;
        while goes_on(&response) {
            let mut history = input.history.clone();
            history.push(response.clone());
            let more = self.once(&ModelInput { history, ..input.clone() }, response.parts.len()).await?;
            response = joined(response, more);
        }
        Ok(response)
    }
}

/// Whether the provider is to go on; a call of the application's is answered first.
fn goes_on(response: &ModelResponse) -> bool {
    response.state == MessageState::Suspended && response.tool_calls().next().is_none()
}

/// A response and what was added to it, as one: what is known of the whole is known of the newer.
fn joined(response: ModelResponse, mut more: ModelResponse) -> ModelResponse {
    let ModelResponse { mut parts, usage, mut failed_attempts, .. } = response;
    parts.append(&mut more.parts);
    failed_attempts.append(&mut more.failed_attempts);
    more.usage.add(&usage);
    ModelResponse { parts, failed_attempts, ..more }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "a test that finds the wrong variant says so")]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use crate::error::Result;
    use crate::event::Event;
    use crate::message::{FinishReason, Message, MessageState, ModelResponse};
    use crate::model::{FunctionModel, ModelInput};
    use crate::{Agent, UsageLimits};

    /// Suspends its first `pauses` responses; says what it was asked with.
    fn pausing(pauses: u32) -> FunctionModel {
        let asked = AtomicU32::new(0);
        FunctionModel::new(move |input: &ModelInput| {
            let number = asked.fetch_add(1, Ordering::Relaxed);
            let suspended = matches!(input.history.last(), Some(Message::Response(_)));
            let mut response = ModelResponse::text(format!("{number}{}", if suspended { "+" } else { "" }));
            response.usage.output_tokens = 1;
            if number < pauses {
                response.state = MessageState::Suspended;
            } else {
                response.finish_reason = Some(FinishReason::Stop);
            }
            response
        })
    }

    #[tokio::test]
    async fn a_suspended_response_goes_on_and_is_one_in_the_history() -> Result<()> {
        let agent = Agent::<()>::builder(pausing(2)).build()?;
        let mut run = agent.run("Search.").stream();
        let (mut places, mut outputs) = (Vec::new(), 0);
        while let Some(event) = run.next().await {
            match event {
                Event::Part(crate::model::PartEvent::End { index, .. }) => places.push(index),
                Event::FinalResult { .. } => outputs += 1,
                _ => {}
            }
        }
        let result = run.finish().await?;
        assert_eq!((places, outputs), (vec![0, 1, 2], 1));
        assert_eq!(result.history().len(), 2);
        let Some(Message::Response(response)) = result.history().last() else { panic!("no response") };
        assert_eq!((response.parts.len(), response.state), (3, MessageState::Complete));
        assert_eq!((response.usage.output_tokens, result.usage().requests, result.usage().output_tokens), (3, 3, 3));
        assert_eq!(response.finish_reason, Some(FinishReason::Stop));
        assert_eq!(result.output(), "01+2+");
        Ok(())
    }

    #[tokio::test]
    async fn a_provider_that_never_ends_meets_the_request_limit() -> Result<()> {
        let agent = Agent::<()>::builder(pausing(u32::MAX)).build()?;
        let limits = UsageLimits { request_limit: Some(4), ..UsageLimits::default() };
        let error = agent.run("Search.").limits(limits).await.expect_err("it never ends");
        assert!(error.to_string().contains("request"), "{error}");
        Ok(())
    }
}
