//! Feedback on a response that no call can carry, in words.

use crate::message::{RetryCause, RetryFeedbackPart};

/// Feedback in words. It may quote the model, so only what is the library's own is said with authority.
pub(crate) enum Feedback {
    /// In the application's name.
    System(String),
    /// Among the user's words, with a word on where it comes from.
    User(String),
}

impl Feedback {
    /// What this part says.
    pub(crate) fn of(part: &RetryFeedbackPart) -> Self {
        let text = part.content.as_str().unwrap_or_else(|| part.content.text().to_owned());
        if part.retry.as_ref().is_some_and(|retry| retry.cause == RetryCause::NoOutput) {
            return Self::System(text);
        }
        Self::User(format!("Automatic feedback, not from the user: your last response was not accepted.\n{text}"))
    }
}
