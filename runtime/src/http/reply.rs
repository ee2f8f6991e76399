//! A reply, read to its end but not beyond a limit.

use reqwest::header::HeaderMap;
use reqwest::{Response, StatusCode};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

use super::error::{message_in, quotable};
use super::key::ApiKey;
use crate::error::{Error, Result};
use crate::wording::shortened;

/// The most bytes of a successful reply.
pub(super) const LARGEST: usize = 32 << 20;
/// The most characters of a request's id that are kept.
const LONGEST_ID: usize = 200;
/// The most bytes of a refusal; what comes after cannot matter to anyone.
const LARGEST_REFUSAL: usize = 64 << 10;

/// A successful reply.
pub(crate) struct Reply {
    pub(crate) body: Vec<u8>,
    /// The provider's own id of the request.
    pub(crate) request_id: Option<String>,
    provider: &'static str,
    status: StatusCode,
    key: ApiKey,
}

impl Reply {
    /// The reply that `response` began, with its whole body.
    pub(super) fn new(provider: &'static str, response: &Response, body: Vec<u8>, key: ApiKey) -> Self {
        Self { body, request_id: request_id(response.headers(), &key), provider, status: response.status(), key }
    }

    /// Reads the body as JSON of the API's form.
    ///
    /// # Errors
    ///
    /// A provider's error without a status: it was reached, but said something unusable.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body).map_err(|error| self.unreadable(&error))
    }

    /// The error for a reply that is not of the API's form.
    pub(crate) fn unreadable(&self, error: &serde_json::Error) -> Error {
        // It quotes what it did not expect.
        let cause = quotable(&error.to_string(), &self.key);
        self.unusable("its reply is not the JSON its API promises").with_source(cause)
    }

    /// The error for a reply without the field that makes it one: what the server says is wrong, where it says so.
    pub(crate) fn lacks(&self, field: &str) -> Error {
        match message_in(&self.body) {
            Some(message) => self.unusable(&format!("with an error: {message}")),
            None => self.unusable(&format!("its reply has no `{field}`")),
        }
    }

    /// The error for a reply that cannot be used.
    pub(crate) fn unusable(&self, why: &str) -> Error {
        unusable(self.provider, self.status, why, &self.key).with_request_id(self.request_id.clone())
    }
}

/// The error for a reply, whole or streamed, that cannot be used.
pub(super) fn unusable(provider: &str, status: StatusCode, why: &str, key: &ApiKey) -> Error {
    Error::provider(format!("{provider} answered with status {}, but {}", status.as_u16(), quotable(why, key)))
}

/// The id by which the provider knows the request.
pub(super) fn request_id(headers: &HeaderMap, key: &ApiKey) -> Option<String> {
    let names = ["x-request-id", "request-id", "x-amzn-requestid"];
    let id = names.iter().find_map(|name| headers.get(*name))?.to_str().ok()?;
    Some(shortened(&key.redact(id), LONGEST_ID).into_owned())
}

/// Reads a body to its end.
///
/// # Errors
///
/// A broken connection, which may be tried again; a body that is too large, which may not.
pub(super) async fn read_body(provider: &str, response: &mut Response, key: &ApiKey) -> Result<Vec<u8>> {
    let too_large = || too_large(provider, "a reply", LARGEST);
    let announced = response.content_length().unwrap_or_default();
    let announced = usize::try_from(announced).ok().filter(|length| *length <= LARGEST).ok_or_else(too_large)?;
    let mut body = Vec::with_capacity(announced);
    while let Some(chunk) = response.chunk().await.map_err(|error| broken_off(provider, error, key))? {
        if body.len() + chunk.len() > LARGEST {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The error for a reply, or a part of one, of more bytes than are read.
pub(super) fn too_large(provider: &str, what: &str, largest: usize) -> Error {
    Error::provider(format!("{provider} sent {what} of more than {} MiB, which is not read", largest >> 20))
}

/// The error for a connection that breaks within a reply.
pub(super) fn broken_off(provider: &str, error: reqwest::Error, key: &ApiKey) -> Error {
    let cause = key.redact_error(error.without_url());
    Error::provider(format!("{provider} broke its reply off")).with_source(cause).with_retryable(true)
}

/// Reads as much of a refusal as comes until `limit`.
pub(super) async fn read_refusal(response: &mut Response, limit: Instant) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Ok(Some(chunk))) = timeout_at(limit, response.chunk()).await {
        body.extend_from_slice(&chunk);
        if body.len() >= LARGEST_REFUSAL {
            break;
        }
    }
    body
}
