//! HTTP as providers use it: one client with time limits, retries that listen to the server, bounded replies, whole or
//! streamed, and errors that name the request but never the key.

mod backoff;
mod client;
mod error;
#[cfg(feature = "bedrock")]
mod frames;
mod key;
mod own;
mod reply;
#[cfg(test)]
pub(crate) mod server;
mod sse;
mod stream;
#[cfg(test)]
mod tests;
mod transport;

pub(crate) use client::{Client, Request};
#[cfg(any(feature = "chat", feature = "cohere", feature = "google"))]
pub(crate) use error::message_in;
#[cfg(feature = "bedrock")]
pub(crate) use frames::EventFrame;
#[cfg(all(test, feature = "bedrock"))]
pub(crate) use frames::tests as frame_tests;
pub(crate) use key::ApiKey;
pub(crate) use reply::Reply;
#[cfg(test)]
pub(crate) use sse::Decoder;
pub(crate) use stream::ReplyStream;
pub(crate) use transport::AnyTransport;
pub use transport::Transport;
