//! What must not be shown: tokens, the values of headers, and what a process finds in its environment.

use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;

/// What is shorter may well be a word.
const SHORTEST: usize = 8;

/// Texts that neither errors nor `Debug` may repeat.
#[derive(Clone, Default)]
pub(super) struct Secrets(Arc<[String]>);

impl Secrets {
    pub(super) fn new<'s>(secrets: impl IntoIterator<Item = &'s str>) -> Self {
        let secrets = secrets.into_iter().map(str::trim).filter(|text| text.len() >= SHORTEST);
        let mut secrets: Vec<_> = secrets.map(str::to_owned).collect();
        // One that is a part of another would leave the rest of it.
        secrets.sort_by_key(|secret| Reverse(secret.len()));
        Self(secrets.into())
    }

    /// The text without them.
    pub(super) fn redact(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "[secret]"))
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(..)")
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

    #[test]
    fn of_a_secret_in_another_nothing_stays() {
        let secrets = Secrets::new(["hunter2-", "hunter2-hunter2-and-more"]);
        assert_eq!(secrets.redact("hunter2-hunter2-and-more"), "[secret]");
    }
}
