//! A reply that comes as events, read while it comes.

use std::time::Duration;

use tokio::time::{Instant, timeout, timeout_at};

use super::client::{Deadline, unended};
use super::error::quotable;
#[cfg(feature = "bedrock")]
use super::frames;
use super::key::ApiKey;
use super::reply::{self, Reply, broken_off, request_id, too_large};
use super::sse::{self, Decoder};
use crate::error::{Error, Result};

/// The most bytes of a streamed reply: for every few characters it repeats everything about the response.
const LARGEST: usize = 512 << 20;
/// How long the end of a connection is waited for when the reply has ended.
const LINGER: Duration = Duration::from_millis(100);

/// A successful reply that has begun. Dropping it closes the connection.
pub(crate) struct ReplyStream {
    provider: &'static str,
    response: reqwest::Response,
    key: ApiKey,
    deadline: Deadline,
    /// How long the server may be silent.
    silence: Duration,
    /// What was received last, of which the first `read` bytes are decoded.
    chunk: Vec<u8>,
    read: usize,
    /// How many bytes were received.
    received: usize,
    framing: Framing,
}

/// How a reply is cut into events.
enum Framing {
    Events(Decoder),
    #[cfg(feature = "bedrock")]
    Frames(frames::Decoder),
}

/// Why a reply cannot be.
enum Uncut {
    TooLarge(usize),
    #[cfg(feature = "bedrock")]
    Broken,
}

impl Framing {
    fn read(&mut self, input: &mut &[u8]) -> Result<bool, Uncut> {
        match self {
            Self::Events(decoder) => decoder.read(input).map_err(|sse::TooLarge| Uncut::TooLarge(sse::LARGEST)),
            #[cfg(feature = "bedrock")]
            Self::Frames(decoder) => decoder.read(input).map_err(|bad| match bad {
                frames::BadFrame::TooLarge => Uncut::TooLarge(frames::LARGEST),
                frames::BadFrame::Broken => Uncut::Broken,
            }),
        }
    }

    fn data(&self) -> &[u8] {
        match self {
            Self::Events(decoder) => decoder.data(),
            #[cfg(feature = "bedrock")]
            Self::Frames(decoder) => decoder.data(),
        }
    }
}

impl ReplyStream {
    pub(super) fn new(
        provider: &'static str,
        response: reqwest::Response,
        key: ApiKey,
        deadline: Deadline,
        silence: Duration,
    ) -> Self {
        Self {
            provider,
            response,
            key,
            deadline,
            silence,
            chunk: Vec::new(),
            read: 0,
            received: 0,
            framing: Framing::Events(Decoder::default()),
        }
    }

    /// The same reply, taken for frames of an AWS event stream, whose data is the JSON of an `EventFrame`. To be said before
    /// any event is asked for.
    #[cfg(feature = "bedrock")]
    pub(crate) fn in_frames(mut self) -> Self {
        self.framing = Framing::Frames(frames::Decoder::default());
        self
    }

    /// Whether the server has answered at once, with a JSON object in place of events. Its bytes say so more reliably than
    /// its headers. To be asked before any event is.
    pub(crate) fn is_document(&self) -> bool {
        self.chunk.trim_ascii_start().starts_with(b"{")
    }

    /// Reads the reply to its end as one document.
    ///
    /// # Errors
    ///
    /// The provider's: the connection broke, or the limits of time and size were passed.
    pub(crate) async fn document(mut self) -> Result<Reply> {
        let mut body = std::mem::take(&mut self.chunk);
        while self.receive().await? {
            if body.len() + self.chunk.len() > reply::LARGEST {
                return Err(too_large(self.provider, "a reply", reply::LARGEST));
            }
            body.append(&mut self.chunk);
        }
        Ok(Reply::new(self.provider, &self.response, body, self.key))
    }

    /// The data of the next event; `None` when the stream has ended, which does not mean that the reply is whole.
    ///
    /// # Errors
    ///
    /// The provider's: the connection broke, or the limits of time and size were passed.
    pub(crate) async fn next(&mut self) -> Result<Option<&[u8]>> {
        loop {
            let mut rest = &self.chunk[self.read..];
            let found = self.framing.read(&mut rest);
            self.read = self.chunk.len() - rest.len();
            match found {
                Ok(true) => return Ok(Some(self.framing.data())),
                Ok(false) if self.receive().await? => {}
                Ok(false) => return Ok(None),
                Err(Uncut::TooLarge(largest)) => return Err(too_large(self.provider, "an event", largest)),
                #[cfg(feature = "bedrock")]
                Err(Uncut::Broken) => {
                    return Err(self
                        .unusable("its reply has a broken frame, or is no event stream")
                        .with_retryable(true));
                }
            }
        }
    }

    /// When the stream has ended: the data of a last event that lacks the blank line after it, and may lack more.
    pub(crate) fn remainder(&mut self) -> Option<&[u8]> {
        match &mut self.framing {
            Framing::Events(decoder) => decoder.remainder(),
            #[cfg(feature = "bedrock")]
            Framing::Frames(_) => None,
        }
    }

    /// Lets go of a reply that is whole, in such a way that its connection can be used again. A server that does not
    /// end it is not waited for.
    pub(crate) async fn finish(mut self) {
        let end = async { while self.response.chunk().await.is_ok_and(|chunk| chunk.is_some()) {} };
        // The answer is there, however its connection ends.
        let _ = timeout(LINGER, end).await;
    }

    /// The error for a reply that cannot be used.
    pub(crate) fn unusable(&self, why: &str) -> Error {
        self.identified(reply::unusable(self.provider, self.response.status(), why, &self.key))
    }

    /// The error for an event that is not of the API's form.
    pub(crate) fn unreadable(&self, error: &serde_json::Error) -> Error {
        // It quotes what it did not expect.
        let cause = quotable(&error.to_string(), &self.key);
        self.unusable("an event of its reply is not what its API promises").with_source(cause)
    }

    /// Adds to an error which request it is about.
    pub(crate) fn identified(&self, error: Error) -> Error {
        error.with_request_id(request_id(self.response.headers(), &self.key))
    }

    /// Waits for more; `false` at the end.
    pub(super) async fn receive(&mut self) -> Result<bool> {
        self.read = 0;
        self.chunk.clear();
        let limit = self.deadline.or_after(self.silence);
        let received = timeout_at(limit, self.response.chunk()).await;
        let received = received.map_err(|_| self.identified(self.late(limit)).with_retryable(true))?;
        let received = received.map_err(|error| self.identified(broken_off(self.provider, error, &self.key)))?;
        let Some(chunk) = received else { return Ok(false) };
        self.received = self.received.saturating_add(chunk.len());
        if self.received > LARGEST {
            return Err(self.identified(too_large(self.provider, "a reply", LARGEST)));
        }
        self.chunk.extend_from_slice(&chunk);
        Ok(true)
    }

    fn late(&self, limit: Instant) -> Error {
        if limit == self.deadline.0 {
            return unended(self.provider);
        }
        Error::provider(format!(
            "{} sent nothing for {:?}; allow more with the model's first-byte timeout",
            self.provider, self.silence
        ))
    }
}
