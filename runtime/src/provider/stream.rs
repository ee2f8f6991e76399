//! Reading a streamed reply to its end.

use crate::error::{Error, Result};
use crate::http::ReplyStream;
use crate::message::ModelResponse;
use crate::provider::incoming::MixedArguments;

/// A reply of which more comes, event by event.
pub(crate) trait StreamedReply {
    /// Reads the data of an event.
    fn read(&mut self, data: &[u8]) -> Result<(), Fault>;

    /// Whether the event that ends a stream has come.
    fn has_ended(&self) -> bool;

    /// Whether the reply is whole if it ends here, with `remainder` left of an event.
    fn is_whole(&self, remainder: Option<&[u8]>) -> bool;

    /// The response, when the reply is whole.
    fn response(self, provider_url: &str) -> Result<ModelResponse, Fault>;
}

/// What is wrong with a reply.
#[derive(Debug)]
pub(crate) enum Fault {
    /// An event is not of the API's form.
    Form(serde_json::Error),
    /// An event tells of an error.
    Told(String),
    /// An event tells of an error, with which a reply that had not begun would have had this status.
    Refused(String, u16),
    /// The arguments of a call cannot be joined.
    Mixed(MixedArguments),
    /// Nothing can be made of it, and why: `its reply has no …`.
    Unusable(&'static str),
}

impl Fault {
    fn error(self, stream: &ReplyStream) -> Error {
        match self {
            Self::Form(error) => stream.unreadable(&error),
            // The request was taken, so what broke may be whole the next time.
            Self::Told(message) => told(stream, &message).with_retryable(true),
            Self::Refused(message, status) => told(stream, &message).with_status(status),
            Self::Mixed(MixedArguments) => stream.identified(Error::model_behavior(
                "the arguments of a call came both as text and as an object, which cannot be joined",
            )),
            Self::Unusable(why) => stream.unusable(why),
        }
    }
}

fn told(stream: &ReplyStream, message: &str) -> Error {
    stream.unusable(&format!("then told of an error: {message}"))
}

/// Reads a reply to its end.
///
/// # Errors
///
/// The provider's, when the connection breaks, when the reply tells of an error, or when it ends before it is whole.
pub(crate) async fn read_stream(
    mut stream: ReplyStream,
    mut reply: impl StreamedReply,
    provider_url: &str,
) -> Result<ModelResponse> {
    while !reply.has_ended() {
        let Some(data) = stream.next().await? else { break };
        let read = reply.read(data);
        read.map_err(|fault| fault.error(&stream))?;
    }
    if !reply.is_whole(stream.remainder()) {
        return Err(stream.unusable("its reply broke off before its end").with_retryable(true));
    }
    let response = reply.response(provider_url).map_err(|fault| fault.error(&stream))?;
    stream.finish().await;
    Ok(response)
}
