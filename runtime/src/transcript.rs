//! The record of a run, kept up to date while it goes on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::message::{History, Message, MessageState, ModelRequest, RequestPart};
use crate::repair::{Frontier, is_interrupted, repair};

/// A history that runs keep up to date, so that one that is dropped or fails loses nothing.
///
/// A cheap handle: clones share the record. See [`Run::record_into`](crate::Run::record_into).
#[derive(Clone, Debug, Default)]
pub struct RecordedHistory(Arc<Mutex<Recorded>>);

#[derive(Debug, Default)]
struct Recorded {
    history: History,
    /// Answers of the step that goes on.
    partial: Vec<RequestPart>,
    /// Whether calls of the newest response are being run: nobody will answer them once the run is gone.
    running: bool,
}

impl RecordedHistory {
    /// An empty record.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The conversation as far as it has come. A later run can go on from it.
    #[must_use]
    pub fn history(&self) -> History {
        let recorded = self.lock();
        let mut history = recorded.history.clone();
        if recorded.running || !recorded.partial.is_empty() {
            let mut request = ModelRequest::new(recorded.partial.clone());
            // What is for the user comes after the answers.
            request.parts.sort_by_key(|part| matches!(part, RequestPart::UserPrompt(_)));
            request.state = MessageState::Interrupted;
            history.push(request);
        }
        history
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a run brings to a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartsWith {
    /// Answers to calls that wait.
    Answers,
    /// What the user says.
    Prompt,
    Nothing,
}

/// The conversation of a run: as it is kept, and as models are to see it.
pub(crate) struct Transcript {
    kept: History,
    /// Where it differs: calls of an older response that still wait for somebody are answered in what a model sees.
    seen: Option<History>,
    new_from: usize,
    record: Option<RecordedHistory>,
}

impl Transcript {
    /// Starts from `history`, made whole. Calls wait for whatever answers the run brings.
    pub(crate) fn new(history: &History, starts_with: StartsWith, record: Option<RecordedHistory>) -> Self {
        let closed = match starts_with {
            StartsWith::Answers => false,
            StartsWith::Prompt => is_interrupted(history, true),
            StartsWith::Nothing => is_interrupted(history, false),
        };
        let frontier = if closed { Frontier::Closed } else { Frontier::Open };
        let kept = repair(history, frontier);
        if let Some(record) = &record {
            *record.lock() = Recorded { history: kept.clone(), ..Recorded::default() };
        }
        Self { new_from: kept.len(), seen: None, kept, record }
    }

    pub(crate) fn history(&self) -> &History {
        &self.kept
    }

    /// The conversation as the model is to see it.
    pub(crate) fn seen(&self) -> &History {
        self.seen.as_ref().unwrap_or(&self.kept)
    }

    pub(crate) fn new_from(&self) -> usize {
        self.new_from
    }

    /// From here on nobody answers the calls that still wait: the model sees them as interrupted.
    pub(crate) fn close_frontier(&mut self) {
        let whole = repair(&self.kept, Frontier::Closed);
        self.seen = (whole != self.kept).then_some(whole);
    }

    pub(crate) fn push(&mut self, message: impl Into<Message>) -> Arc<Message> {
        let message = Arc::new(message.into());
        if let Some(seen) = &mut self.seen {
            seen.push_shared(message.clone());
        }
        if let Some(record) = &self.record {
            let mut record = record.lock();
            record.partial.clear();
            record.running = false;
            record.history.push_shared(message.clone());
        }
        self.kept.push_shared(message.clone());
        message
    }

    /// Goes on with another conversation, which ends with the request that is about to be sent.
    pub(crate) fn replace(&mut self, history: History, run_id: &str) {
        self.kept = history;
        let is_own = |message: &Message| match message {
            Message::Request(request) => request.run_id.as_deref() == Some(run_id),
            Message::Response(response) => response.run_id.as_deref() == Some(run_id),
        };
        if !self.kept.last().is_some_and(is_own) {
            self.kept.edit_last_request(|request| request.run_id = Some(run_id.to_owned()));
        }
        self.new_from = self.kept.iter().position(is_own).unwrap_or(self.kept.len());
        self.close_frontier();
        if let Some(record) = &self.record {
            record.lock().history = self.kept.clone();
        }
    }

    /// Changes the newest message, a request.
    pub(crate) fn edit_last_request(&mut self, edit: impl Fn(&mut ModelRequest)) {
        self.kept.edit_last_request(&edit);
        if let Some(seen) = &mut self.seen {
            seen.edit_last_request(&edit);
        }
        if let Some(record) = &self.record {
            record.lock().history.edit_last_request(&edit);
        }
    }

    /// Takes the newest request away, to be sent again.
    pub(crate) fn pop_request(&mut self) -> Option<ModelRequest> {
        let request = self.kept.pop_request()?;
        self.new_from = self.new_from.min(self.kept.len());
        if let Some(seen) = &mut self.seen {
            seen.pop_request();
        }
        if let Some(record) = &self.record {
            record.lock().history.pop_request();
        }
        Some(request)
    }

    /// Whether the newest response's calls are being run.
    pub(crate) fn set_running(&self, running: bool) {
        if let Some(record) = &self.record {
            record.lock().running = running;
        }
    }

    /// An answer that came while others of its step have not.
    pub(crate) fn record_partial(&self, answer: impl FnOnce() -> Vec<RequestPart>) {
        if let Some(record) = &self.record {
            record.lock().partial.extend(answer());
        }
    }
}
