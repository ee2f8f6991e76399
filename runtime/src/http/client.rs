//! The client that all requests of a model go through.

use std::future::Future;
use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::backoff::{Backoff, asked_pause, asked_pause_in};
use super::error::{Failure, refusal};
use super::key::ApiKey;
use super::reply::{Reply, read_body, read_refusal, request_id};
use super::stream::ReplyStream;
use super::transport::AnyTransport;
use crate::error::{BoxError, Error, Result};
use crate::model::ModelSettings;

/// How long a server may take to begin its reply, or to go on with a streamed one, unless the model says otherwise.
const FIRST_BYTE: Duration = Duration::from_secs(300);
/// How long the words of a refusal are waited for: its status says enough.
const REFUSAL: Duration = Duration::from_secs(3);
/// How long a request may take, retries included, unless the settings say otherwise.
const WHOLE: Duration = Duration::from_secs(600);
/// How often a request is sent again, unless the settings say otherwise.
const MAX_RETRIES: u32 = 2;

/// One POST of a JSON body.
pub(crate) struct Request<'a> {
    /// The provider's name, for errors.
    pub(crate) provider: &'static str,
    pub(crate) url: &'a Url,
    /// The headers of the provider, with its key.
    pub(crate) headers: HeaderMap,
    /// The key, which errors must not repeat.
    pub(crate) key: &'a ApiKey,
    pub(crate) body: Vec<u8>,
    pub(crate) settings: &'a ModelSettings,
}

/// Sends requests. Cloning shares the connections.
#[derive(Clone)]
pub(crate) struct Client {
    transport: AnyTransport,
    first_byte: Duration,
}

impl Client {
    /// A client over the connections that all models share.
    ///
    /// # Errors
    ///
    /// Misuse, when the system has no working TLS.
    pub(crate) fn new() -> Result<Self> {
        Ok(Self::over(AnyTransport::own()?))
    }

    /// A client over the caller's own transport, with whatever proxies, certificates and policies it has.
    pub(crate) fn over(transport: AnyTransport) -> Self {
        Self { transport, first_byte: FIRST_BYTE }
    }

    pub(crate) fn first_byte(mut self, limit: Duration) -> Self {
        self.first_byte = limit;
        self
    }

    /// Sends a request, again if it fails for a passing reason, and reads its reply. Dropping the future closes the
    /// connection.
    ///
    /// # Errors
    ///
    /// Misuse for headers that cannot be sent; else the provider's, with its status where there is one.
    pub(crate) async fn send(&self, mut request: Request<'_>) -> Result<Reply> {
        let mut attempts = Attempts::of(&mut request)?;
        loop {
            match self.attempt(&request, attempts.next(), attempts.deadline).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => attempts.wait_after(failure).await?,
            }
        }
    }

    /// Sends a request like [`send`](Self::send), and gives its reply when its first bytes are there; from then on it is
    /// not sent again. Dropping the future or the reply closes the connection.
    ///
    /// # Errors
    ///
    /// Those of `send`.
    pub(crate) async fn stream(&self, mut request: Request<'_>) -> Result<ReplyStream> {
        let mut attempts = Attempts::of(&mut request)?;
        loop {
            match self.attempt_stream(&request, attempts.next(), attempts.deadline).await {
                Ok(stream) => return Ok(stream),
                Err(failure) => attempts.wait_after(failure).await?,
            }
        }
    }

    async fn attempt(
        &self,
        request: &Request<'_>,
        attempt: reqwest::Request,
        deadline: Deadline,
    ) -> Result<Reply, Failure> {
        let provider = request.provider;
        let mut response = self.begin(request, attempt, deadline).await?;
        let key = ApiKey::of(&response, request.key).clone();
        let cut = || unended(provider);
        let body = within(deadline.0, cut, read_body(provider, &mut response, &key)).await??;
        Ok(Reply::new(provider, &response, body, key))
    }

    async fn attempt_stream(
        &self,
        request: &Request<'_>,
        attempt: reqwest::Request,
        deadline: Deadline,
    ) -> Result<ReplyStream, Failure> {
        let response = self.begin(request, attempt, deadline).await?;
        let key = ApiKey::of(&response, request.key).clone();
        let mut stream = ReplyStream::new(request.provider, response, key, deadline, self.first_byte);
        stream.receive().await?;
        Ok(stream)
    }

    /// Waits until the reply begins, and has a status of success.
    async fn begin(
        &self,
        request: &Request<'_>,
        attempt: reqwest::Request,
        deadline: Deadline,
    ) -> Result<reqwest::Response, Failure> {
        let provider = request.provider;
        let first_byte = deadline.or_after(self.first_byte);
        let late = || {
            Error::provider(match first_byte < deadline.0 {
                true => format!(
                    "{provider} did not begin to answer within {:?}; allow more with the model's first-byte timeout",
                    self.first_byte
                ),
                false => {
                    format!("{provider} did not begin to answer in time; allow more with `ModelSettings::timeout`")
                }
            })
        };
        let sent = within(first_byte, late, self.transport.send(attempt)).await?;
        let mut response = sent.map_err(|error| disconnected(request, error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let asked_pause = asked_pause(response.headers(), SystemTime::now());
        let key = ApiKey::of(&response, request.key).clone();
        let request_id = request_id(response.headers(), &key);
        let body = read_refusal(&mut response, deadline.or_after(REFUSAL)).await;
        let asked_pause = asked_pause.or_else(|| asked_pause_in(&body));
        let error = refusal(provider, &response, &body, &key).with_request_id(request_id);
        #[cfg(feature = "chat")]
        let error = error.with_refusal(body);
        Err(Failure { error, asked_pause })
    }
}

/// The attempts to send one request.
struct Attempts {
    prepared: reqwest::Request,
    deadline: Deadline,
    backoff: Backoff,
}

impl Attempts {
    fn of(request: &mut Request<'_>) -> Result<Self> {
        let mut prepared = reqwest::Request::new(Method::POST, request.url.clone());
        *prepared.headers_mut() = all_headers(request)?;
        *prepared.body_mut() = Some(std::mem::take(&mut request.body).into());
        Ok(Self {
            prepared,
            deadline: Deadline::after(request.settings.timeout.unwrap_or(WHOLE)),
            backoff: Backoff::new(request.settings.max_retries.unwrap_or(MAX_RETRIES)),
        })
    }

    fn next(&self) -> reqwest::Request {
        // Only streams cannot be cloned; the bytes are shared.
        let Some(attempt) = self.prepared.try_clone() else { unreachable!("the body is bytes") };
        attempt
    }

    /// Waits until the request can be sent again; the error where it cannot.
    async fn wait_after(&mut self, failure: Failure) -> Result<()> {
        let Failure { error, asked_pause } = failure;
        if !error.is_retryable() || self.deadline.has_passed() {
            return Err(error);
        }
        match self.backoff.pause(asked_pause).and_then(|pause| self.deadline.instant_after(pause)) {
            Some(next) => {
                sleep_until(next).await;
                Ok(())
            }
            None => Err(error),
        }
    }
}

/// When a request must be over.
#[derive(Clone, Copy)]
pub(super) struct Deadline(pub(super) Instant);

impl Deadline {
    fn after(limit: Duration) -> Self {
        let now = Instant::now();
        // A limit beyond what a clock can tell is none.
        Self(now.checked_add(limit).unwrap_or_else(|| now + WHOLE * 1000))
    }

    fn has_passed(&self) -> bool {
        Instant::now() >= self.0
    }

    /// The moment after `limit`, or the deadline if that is sooner.
    pub(super) fn or_after(&self, limit: Duration) -> Instant {
        Instant::now().checked_add(limit).map_or(self.0, |moment| moment.min(self.0))
    }

    /// The moment after a pause, if it is still in time.
    fn instant_after(&self, pause: Duration) -> Option<Instant> {
        Instant::now().checked_add(pause).filter(|next| *next < self.0)
    }
}

/// The error for a reply that the deadline cuts off.
pub(super) fn unended(provider: &str) -> Error {
    Error::provider(format!("{provider} did not end its reply in time; allow more with `ModelSettings::timeout`"))
}

pub(super) async fn within<T>(limit: Instant, late: impl Fn() -> Error, future: impl Future<Output = T>) -> Result<T> {
    timeout_at(limit, future).await.map_err(|_| late().with_retryable(true))
}

fn all_headers(request: &Request<'_>) -> Result<HeaderMap> {
    let mut headers = request.headers.clone();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in request.settings.extra_headers.iter().flatten() {
        let misuse = || Error::misuse(format!("`extra_headers` has a header that HTTP cannot carry: `{name}`"));
        let mut value = HeaderValue::try_from(value).map_err(|_| misuse())?;
        // It may well be a key of a gateway's.
        value.set_sensitive(true);
        headers.insert(HeaderName::try_from(name).map_err(|_| misuse())?, value);
    }
    Ok(headers)
}

fn disconnected(request: &Request<'_>, error: BoxError) -> Error {
    let host = request.url.host_str().unwrap_or_default();
    let (what, retryable, source): (_, _, BoxError) = match error.downcast::<reqwest::Error>() {
        // The rest of the URL may hold what should not be shown.
        Ok(error) if error.is_connect() => ("could not be reached", true, error.without_url().into()),
        Ok(error) => ("broke the connection before it answered", !error.is_builder(), error.without_url().into()),
        Err(error) => match error.downcast::<Error>() {
            // The library's own transports say themselves what is wrong.
            Ok(error) => return *error,
            Err(error) => ("was not reached by the model's transport", true, error),
        },
    };
    Error::provider(format!("{} at {host} {what}", request.provider))
        .with_source(request.key.redact_error(source))
        .with_retryable(retryable)
}
