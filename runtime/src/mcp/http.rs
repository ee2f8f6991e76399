//! A server at a URL.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Url, redirect};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use super::limits::McpLimits;
use super::posts::Posts;
use super::secrets::Secrets;
use crate::error::{Error, Result};

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How often a stream that broke off is taken up again, and how long after it broke off at first; then after twice as long.
const STREAM_RETRIES: usize = 3;
const STREAM_PAUSE: Duration = Duration::from_millis(500);
/// How many calls may be open at once; more wait for these.
const CALLS: usize = 256;
/// How many redirects are followed.
const REDIRECTS: usize = 5;

/// A server at a URL, spoken to by streamable HTTP.
///
/// Redirects are followed only to the same host, as they could lead headers elsewhere; unless the client is one of
/// [the application's own](Self::client).
#[derive(Clone)]
#[must_use]
pub struct McpHttp {
    url: String,
    bearer: Option<String>,
    headers: Vec<(String, String)>,
    secrets: Vec<String>,
    client: Option<reqwest::Client>,
}

impl McpHttp {
    /// The server at `url`, such as `http://localhost:8000/mcp`. That it is no URL is found when it is connected to.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), bearer: None, headers: Vec::new(), secrets: Vec::new(), client: None }
    }

    /// Sends `Authorization: Bearer` with this token. Neither errors nor `Debug` show it; one of less than eight bytes is not taken
    /// out of what the server says, as it may well be a word.
    pub fn bearer(mut self, token: impl Into<String>) -> Self {
        self.bearer = Some(token.into());
        self
    }

    /// Sends a header with every request. Neither errors nor `Debug` show its value, nor one of the words in it; of less than eight
    /// bytes, they are not taken out of what the server says.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sends requests with this client, with whatever proxies, certificates and policies it has.
    pub fn client(mut self, client: reqwest::Client) -> Self {
        self.client = Some(client);
        self
    }

    /// Where the URL leads, without what may be secret in it: keys stand in paths, too.
    pub(super) fn shown(&self) -> String {
        Url::parse(&self.url).map_or_else(|_| "(no URL)".to_owned(), |url| url.origin().ascii_serialization())
    }

    /// Keeps what else must not be shown.
    pub(super) fn with_secrets(mut self, secrets: Vec<String>) -> Self {
        self.secrets = secrets;
        self
    }

    pub(super) fn secrets(&self) -> Secrets {
        let url = Url::parse(&self.url).ok();
        let decoded: Vec<_> = url.iter().flat_map(Url::query_pairs).map(|(_, value)| value.into_owned()).collect();
        let mut texts: Vec<&str> = self.bearer.as_deref().into_iter().collect();
        for (_, value) in &self.headers {
            texts.push(value);
            texts.extend(value.split_whitespace());
        }
        if let Some(url) = &url {
            texts.extend([url.username(), url.path()]);
            texts.extend(url.password());
            texts.extend(url.query().into_iter().flat_map(raw_values));
        }
        // As it was written, which is not always as it is sent.
        texts.extend(self.url.split_once('?').into_iter().flat_map(|(_, query)| raw_values(query)));
        texts.extend(self.secrets.iter().chain(&decoded).map(String::as_str));
        Secrets::new(texts)
    }

    /// What carries messages to the server; nothing is sent yet.
    ///
    /// # Errors
    ///
    /// Misuse, for what is no URL or no header, and where the system has no working TLS.
    pub(super) fn transport(&self, limits: &McpLimits) -> Result<StreamableHttpClientTransport<Posts>> {
        if !matches!(Url::parse(&self.url), Ok(url) if matches!(url.scheme(), "http" | "https")) {
            return Err(Error::misuse("the URL of an MCP server is no `http://` or `https://` one"));
        }
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .custom_headers(self.header_map()?)
            .max_json_response_size(limits.message_bytes)
            .max_sse_event_size(limits.message_bytes)
            .max_concurrent_requests(CALLS)
            // A session that has ended is noticed, and all that was known of the server asked for anew.
            .reinit_on_expired_session(false);
        let mut retries = ExponentialBackoff::default();
        retries.max_times = Some(STREAM_RETRIES);
        retries.base_duration = STREAM_PAUSE;
        config.retry_config = Arc::new(retries);
        if let Some(token) = &self.bearer {
            header_value("Authorization", token)?;
            config = config.auth_header(token);
        }
        let client = self.client.clone().map_or_else(own_client, Ok)?;
        Ok(StreamableHttpClientTransport::with_client(Posts(client), config))
    }

    fn header_map(&self) -> Result<HashMap<HeaderName, HeaderValue>> {
        let header = |(name, value): &(String, String)| {
            let parsed = HeaderName::try_from(name.as_str());
            let parsed =
                parsed.map_err(|_| Error::misuse(format!("an MCP server's header `{name}` is no HTTP header")))?;
            Ok((parsed, header_value(name, value)?))
        };
        self.headers.iter().map(header).collect()
    }
}

/// The values in a query, as they stand in it.
fn raw_values(query: &str) -> impl Iterator<Item = &str> {
    query.split(['&', '#']).map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value))
}

fn header_value(name: &str, value: &str) -> Result<HeaderValue> {
    let mut parsed = HeaderValue::try_from(value).map_err(|_| {
        Error::misuse(format!(
            "an MCP server's header `{name}` has a value with characters that no HTTP header can carry"
        ))
    })?;
    parsed.set_sensitive(true);
    Ok(parsed)
}

/// A client of the connection's own: those of others may be on a runtime that ends before it.
fn own_client() -> Result<reqwest::Client> {
    let agent = concat!("toolwright/", env!("CARGO_PKG_VERSION"));
    let same_host = redirect::Policy::custom(|attempt| {
        let first = attempt.previous().first();
        if first.is_some_and(|first| first.origin() == attempt.url().origin()) && attempt.previous().len() <= REDIRECTS
        {
            attempt.follow()
        } else {
            attempt.stop()
        }
    });
    let builder = reqwest::Client::builder().user_agent(agent).connect_timeout(CONNECT).redirect(same_host);
    builder.build().map_err(|error| Error::misuse("no HTTP client could be made").with_source(error))
}

impl<T: Into<String>> From<T> for McpHttp {
    fn from(url: T) -> Self {
        Self::new(url)
    }
}

impl fmt::Debug for McpHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpHttp")
            .field("url", &self.shown())
            .field("bearer", &self.bearer.is_some())
            .field("headers", &self.headers.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
