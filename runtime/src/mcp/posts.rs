//! What is sent over HTTP, and what comes back.

use std::collections::HashMap;
use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;

use futures_util::stream::BoxStream;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, JsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use sse_stream::Sse;

type HttpError = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// What servers say of a request without looking at it: that they know no such session, or that it is none. After any other
/// error its tool may have run.
const TURNS_AWAY: [ErrorCode; 3] = [ErrorCode(-32000), ErrorCode(-32001), ErrorCode::INVALID_REQUEST];

/// The client library's own client, but for one thing: an error that does not say of which request it is, as servers answer
/// with that do not know a session, is that of the request it answers. Nobody would wait for it otherwise.
#[derive(Clone)]
pub(super) struct Posts(pub(super) reqwest::Client);

/// What a server says that turns a request away before it looks at it.
#[derive(Debug)]
pub(super) struct TurnedAway(String);

impl fmt::Display for TurnedAway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl StdError for TurnedAway {}

impl TurnedAway {
    /// Whether this is what lies beneath an error.
    pub(super) fn is_in(error: &(dyn StdError + 'static)) -> bool {
        error.downcast_ref::<io::Error>().and_then(io::Error::get_ref).is_some_and(|inner| inner.is::<Self>())
    }
}

impl StreamableHttpClient for Posts {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session_id, auth_header, custom_headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let is_request = matches!(message, JsonRpcMessage::Request(_));
        let posting =
            self.0.post_message_with_response_limits(uri, message, session_id, auth_header, custom_headers, limits);
        match posting.await? {
            StreamableHttpPostResponse::Json(JsonRpcMessage::Error(error), _) if is_request && error.id.is_none() => {
                let (code, message) = (error.error.code, error.error.message.into_owned());
                let turned_away = TURNS_AWAY.contains(&code);
                Err(if turned_away { io::Error::other(TurnedAway(message)) } else { io::Error::other(message) }.into())
            }
            response => Ok(response),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), HttpError> {
        self.0.delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpError> {
        self.0.get_stream(uri, session_id, last_event_id, auth_header, custom_headers).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
        longest: usize,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpError> {
        let opening = self.0.get_stream_with_max_sse_event_size(
            uri,
            session_id,
            last_event_id,
            auth_header,
            custom_headers,
            longest,
        );
        opening.await
    }
}
