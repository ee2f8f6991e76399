//! API keys, which are never shown.

use std::error::Error as StdError;
use std::fmt;
use std::iter;

use reqwest::header::HeaderValue;

use crate::error::{BoxError, Error, Result};

const SHORTEST_SECRET: usize = 8;

/// An API key. It goes into a header and nowhere else.
#[derive(Clone)]
pub(crate) struct ApiKey(Box<str>);

impl ApiKey {
    /// Takes the key as given; white space around it is never part of a key.
    pub(crate) fn new(key: &str) -> Self {
        Self(key.trim().into())
    }

    /// The key in an environment variable, unless that is unset or blank.
    pub(crate) fn from_env(variable: &str) -> Option<Self> {
        let key = std::env::var(variable).ok()?;
        (!key.trim().is_empty()).then(|| Self::new(&key))
    }

    /// The value of an `Authorization` header.
    ///
    /// # Errors
    ///
    /// Misuse, when the key has characters that no header can carry.
    pub(crate) fn bearer(&self) -> Result<HeaderValue> {
        self.sensitive(&format!("Bearer {}", self.0))
    }

    /// The value of a header that holds nothing but the key.
    ///
    /// # Errors
    ///
    /// Misuse, when the key has characters that no header can carry.
    pub(crate) fn plain(&self) -> Result<HeaderValue> {
        self.sensitive(&self.0)
    }

    /// The key that a reply was asked for with, where the transport has put it to the reply, else `or`.
    pub(super) fn of<'a>(response: &'a reqwest::Response, or: &'a Self) -> &'a Self {
        response.extensions().get::<Self>().unwrap_or(or)
    }

    fn sensitive(&self, text: &str) -> Result<HeaderValue> {
        let mut value = HeaderValue::try_from(text)
            .map_err(|_| Error::misuse("the API key has characters that no HTTP header can carry"))?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Takes the key out of a text that a server sent. What is too short to be a secret, such as `unused`, stays: it may
    /// well be a word.
    pub(super) fn redact(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_SECRET {
            return text.to_owned();
        }
        // `Debug` and JSON escape the characters of headers alike.
        let quoted = format!("{:?}", self.0);
        text.replace(&*self.0, "[key]").replace(quoted.trim_matches('"'), "[key]")
    }

    /// An error whose causes do not show the key: the same, unless one of them does, else what they say.
    pub(super) fn redact_error(&self, error: impl Into<BoxError>) -> BoxError {
        let error = error.into();
        let causes =
            || iter::successors(Some::<&dyn StdError>(&*error), |error: &&dyn StdError| StdError::source(*error));
        let shown: String = causes().map(|cause| format!("{cause}\n{cause:?}\n")).collect();
        if self.redact(&shown) == shown {
            return error;
        }
        let said: Vec<_> = causes().map(|cause| self.redact(&cause.to_string())).collect();
        said.join(": ").into()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}
