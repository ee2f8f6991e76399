//! The span of a run, and what all spans of it have in common.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::field::Empty;
use tracing::level_filters::LevelFilter;
use tracing::{Instrument, info_span};

use super::field;
use super::open::Open;
use super::switch::ContentSwitch;
use super::tokens::Tokens;
use crate::error::Error;
use crate::message::{History, Message};
use crate::model::Model;

/// What all spans of a run have in common; nothing where nobody listens.
pub(crate) struct Trace(pub(super) Option<Arc<About>>);

/// What all spans of a run have in common.
pub(super) struct About {
    pub(super) agent: Option<String>,
    pub(super) run_id: String,
    pub(super) conversation: String,
    pub(super) content: bool,
    spent: Mutex<Tokens>,
}

impl About {
    /// What the run's requests have taken so far. Those of runs inside its tools are told by their own spans, so that
    /// spans can be summed.
    pub(super) fn spent(&self) -> MutexGuard<'_, Tokens> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Trace {
    /// The trace of a run that goes on with `history`.
    pub(crate) fn new(agent: Option<&str>, run_id: &str, history: &History, content: ContentSwitch) -> Self {
        if LevelFilter::current() < LevelFilter::INFO {
            return Self(None);
        }
        Self(Some(Arc::new(About {
            agent: agent.map(str::to_owned),
            run_id: run_id.to_owned(),
            conversation: conversation(history).unwrap_or(run_id).to_owned(),
            content: content.is_on(),
            spent: Mutex::default(),
        })))
    }

    /// Opens the span of the run.
    pub(crate) fn run(&self, model: &impl Model) -> RunSpan {
        let opened = self.0.as_ref().map(|about| {
            let span = info_span!(
                target: field::TARGET,
                "invoke_agent",
                { field::OTEL_NAME } = about.agent.as_ref().map(|agent| format!("invoke_agent {agent}")),
                { field::OTEL_KIND } = "internal",
                { field::OTEL_STATUS_CODE } = Empty,
                { field::OTEL_STATUS_DESCRIPTION } = Empty,
                { field::ERROR_TYPE } = Empty,
                { field::OPERATION_NAME } = "invoke_agent",
                { field::PROVIDER_NAME } = model.system(),
                { field::AGENT_NAME } = about.agent,
                { field::AGENT_CALL_ID } = about.run_id,
                { field::CONVERSATION_ID } = about.conversation,
                { field::REQUEST_MODEL } = model.name(),
                { field::USAGE_INPUT_TOKENS } = Empty,
                { field::USAGE_OUTPUT_TOKENS } = Empty,
                { field::USAGE_CACHE_READ } = Empty,
                { field::USAGE_CACHE_CREATION } = Empty,
            );
            (Open::new(span, about.content), about.clone())
        });
        RunSpan(opened)
    }
}

/// The id of the conversation: the one its newest message names, or that of the first run that was part of it.
fn conversation(history: &History) -> Option<&str> {
    let named = history.iter().rev().find_map(|message| match message {
        Message::Request(request) => request.conversation_id.as_deref(),
        Message::Response(response) => response.conversation_id.as_deref(),
    });
    let first_run = || {
        history.iter().find_map(|message| match message {
            Message::Request(request) => request.run_id.as_deref(),
            Message::Response(response) => response.run_id.as_deref(),
        })
    };
    named.or_else(first_run)
}

/// The span of a run.
pub(crate) struct RunSpan(Option<(Open, Arc<About>)>);

impl RunSpan {
    /// Runs `work` inside the span.
    pub(crate) fn around<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        within(self.0.as_ref().map(|(open, _)| open), work)
    }

    /// Says what the run took, and which error it ended with.
    pub(crate) fn end(self, error: Option<&Error>) {
        let Some((open, about)) = self.0 else { return };
        open.count(*about.spent());
        match error {
            Some(error) => open.fail_with(error),
            None => open.succeed(),
        }
    }
}

/// Runs `work` inside a span, if there is one.
pub(super) fn within<F: Future>(open: Option<&Open>, work: F) -> impl Future<Output = F::Output> + use<F> {
    work.instrument(open.map_or_else(tracing::Span::none, |open| open.span().clone()))
}
