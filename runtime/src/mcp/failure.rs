//! Why a server gave no result.

use std::error::Error as StdError;

use rmcp::ServiceError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::posts::TurnedAway;

type HttpError = StreamableHttpError<reqwest::Error>;

/// Why a server gave no result.
#[derive(Debug, PartialEq)]
pub(super) enum Failure {
    /// It answered with an error.
    Refused(String),
    /// It was never asked, as the connection is gone.
    Unsent(String),
    /// It may or may not have done what it was asked for.
    Lost(String),
    /// It has not answered in time.
    Late(String),
}

impl Failure {
    /// What the client library's error comes to. `was_sent` says whether the request was given to the transport.
    pub(super) fn of(error: &ServiceError, was_sent: bool) -> Self {
        match error {
            ServiceError::McpError(error) => Self::Refused(error.message.to_string()),
            ServiceError::TransportSend(error) if never_arrived(&*error.error) => Self::Unsent(words(&*error.error)),
            ServiceError::TransportSend(error) => Self::Lost(words(&*error.error)),
            ServiceError::TransportClosed if was_sent => Self::Lost("the connection has ended".to_owned()),
            ServiceError::TransportClosed => Self::Unsent("the connection has ended".to_owned()),
            ServiceError::UnexpectedResponse => Self::Refused("its answer is of an unknown form".to_owned()),
            error => Self::Lost(error.to_string()),
        }
    }

    /// What is known of it, in words.
    pub(super) fn why(&self) -> &str {
        match self {
            Self::Refused(why) | Self::Unsent(why) | Self::Lost(why) | Self::Late(why) => why,
        }
    }
}

/// Whether a request has certainly not been taken up: nobody was there, or nobody who knew the session or who it is from.
fn never_arrived(error: &(dyn StdError + 'static)) -> bool {
    causes(error).any(|cause| {
        let turned_away = |error: &HttpError| {
            matches!(error, HttpError::SessionExpired | HttpError::AuthRequired(_) | HttpError::InsufficientScope(_))
        };
        cause.downcast_ref().is_some_and(turned_away)
            || TurnedAway::is_in(cause)
            || cause.downcast_ref::<reqwest::Error>().is_some_and(reqwest::Error::is_connect)
    })
}

fn causes<'e>(error: &'e (dyn StdError + 'static)) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |error: &&'e (dyn StdError + 'static)| StdError::source(*error))
}

/// What an error and its causes say, without the URL that was asked, which may hold a key. What repeats the cause that follows
/// is left out.
pub(super) fn words(error: &(dyn StdError + 'static)) -> String {
    let mut said: Vec<String> = Vec::new();
    for cause in causes(error) {
        let mut text = cause.to_string();
        let http = cause.downcast_ref::<reqwest::Error>();
        let http = http.or_else(|| match cause.downcast_ref::<HttpError>() {
            Some(HttpError::Client(error)) => Some(error),
            _ => None,
        });
        if let Some(url) = http.and_then(reqwest::Error::url) {
            text = text.replace(&format!(" for url ({url})"), "").replace(url.as_str(), "(its URL)");
        }
        if !said.iter().any(|before| before.contains(&text)) {
            said.push(text);
        }
    }
    said.join(": ")
}
