//! What must not be shown: tokens, the values of headers, and what a process finds in its environment.

use std::sync::Arc;

/// What is shorter may well be a word.
const SHORTEST: usize = 8;

/// Texts that neither errors nor `Debug` may repeat.
#[derive(Clone, Default)]
pub(super) struct Secrets(Arc<[String]>);

impl Secrets {
    pub(super) fn new<'s>(secrets: impl IntoIterator<Item = &'s str>) -> Self {
        Self(secrets.into_iter().map(str::trim).filter(|text| text.len() >= SHORTEST).map(str::to_owned).collect())
    }

    /// The text without them.
    pub(super) fn redact(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "[secret]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_is_taken_out_and_words_stay() {
        let secrets = Secrets::new(["hunter2-hunter2", "debug"]);
        assert_eq!(secrets.redact("debug: hunter2-hunter2 is refused"), "debug: [secret] is refused");
    }
}
