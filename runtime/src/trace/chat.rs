//! The span of a request to the model.

use std::sync::Arc;

use tracing::field::Empty;
use tracing::info_span;

use super::content::{definitions, input_messages, instructions, json, output_messages};
use super::field;
use super::open::{Open, integer};
use super::run::{About, Trace, within};
use super::tokens::Tokens;
use crate::error::Result;
use crate::message::ModelResponse;
use crate::model::{Model, ModelInput};

impl Trace {
    /// Opens the span of a request to the model.
    pub(crate) fn chat(&self, model: &impl Model, input: &ModelInput, streamed: bool) -> ChatSpan {
        let Some(about) = &self.0 else { return ChatSpan(None) };
        let settings = &input.settings;
        let span = info_span!(
            target: field::TARGET,
            "chat",
            { field::OTEL_NAME } = format!("chat {}", model.name()),
            { field::OTEL_KIND } = "client",
            { field::OTEL_STATUS_CODE } = Empty,
            { field::OTEL_STATUS_DESCRIPTION } = Empty,
            { field::ERROR_TYPE } = Empty,
            { field::OPERATION_NAME } = "chat",
            { field::PROVIDER_NAME } = model.system(),
            { field::AGENT_NAME } = about.agent,
            { field::AGENT_CALL_ID } = about.run_id,
            { field::CONVERSATION_ID } = about.conversation,
            { field::REQUEST_MODEL } = model.name(),
            { field::REQUEST_STREAM } = streamed.then_some(true),
            { field::REQUEST_MAX_TOKENS } = settings.max_tokens.map(integer),
            { field::REQUEST_TEMPERATURE } = settings.temperature,
            { field::REQUEST_TOP_P } = settings.top_p,
            { field::REQUEST_SEED } = settings.seed,
            { field::REQUEST_STOP_SEQUENCES } = settings.stop_sequences.as_ref().map(json),
            { field::REQUEST_PRESENCE_PENALTY } = settings.presence_penalty,
            { field::REQUEST_FREQUENCY_PENALTY } = settings.frequency_penalty,
            { field::RESPONSE_MODEL } = Empty,
            { field::RESPONSE_ID } = Empty,
            { field::RESPONSE_FINISH_REASONS } = Empty,
            { field::USAGE_INPUT_TOKENS } = Empty,
            { field::USAGE_OUTPUT_TOKENS } = Empty,
            { field::USAGE_CACHE_READ } = Empty,
            { field::USAGE_CACHE_CREATION } = Empty,
            { field::SYSTEM_INSTRUCTIONS } = Empty,
            { field::INPUT_MESSAGES } = Empty,
            { field::OUTPUT_MESSAGES } = Empty,
            { field::TOOL_DEFINITIONS } = Empty,
        );
        let open = Open::new(span, about.content);
        if open.shows_content() {
            show(&open, input);
        }
        ChatSpan(Some((open, about.clone())))
    }
}

/// Puts what the model is asked into the span.
fn show(open: &Open, input: &ModelInput) {
    let span = open.span();
    if let Some(text) = &input.instructions {
        span.record(field::SYSTEM_INSTRUCTIONS, instructions(text));
    }
    span.record(field::INPUT_MESSAGES, input_messages(&input.history));
    if !(input.function_tools.is_empty() && input.output_tools.is_empty()) {
        // Hidden tools are none of the request.
        span.record(field::TOOL_DEFINITIONS, definitions(input.function_tools.iter().chain(input.output_tools.iter())));
    }
}

/// The span of a request to the model.
pub(crate) struct ChatSpan(Option<(Open, Arc<About>)>);

impl ChatSpan {
    /// Does `work` inside the span.
    pub(crate) fn around<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        within(self.0.as_ref().map(|(open, _)| open), work)
    }

    /// Says what the request came to.
    pub(crate) fn end(self, asked: &Result<ModelResponse>) {
        let Some((open, about)) = self.0 else { return };
        match asked {
            Ok(response) => {
                let tokens = Tokens::from(&response.usage);
                about.spent().add(tokens);
                open.count(tokens);
                answered(open, response);
            }
            Err(error) => open.fail_with(error),
        }
    }
}

fn answered(open: Open, response: &ModelResponse) {
    let span = open.span();
    span.record(field::RESPONSE_MODEL, response.model_name.as_deref());
    span.record(field::RESPONSE_ID, response.provider_response_id.as_deref());
    span.record(field::RESPONSE_FINISH_REASONS, response.finish_reason.map(|reason| json(&[reason])));
    if open.shows_content() {
        span.record(field::OUTPUT_MESSAGES, output_messages(response));
    }
    open.succeed();
}
