//! What carries requests to a server.

use std::sync::Arc;

use reqwest::{Request, Response};

use super::own::own_transport;
use crate::error::{BoxError, Result};
use crate::later::BoxFuture;

/// What carries a provider's requests to its server and brings the replies: a [`reqwest::Client`], unless something else
/// is put in its place.
///
/// Put one around a client to record what is sent, to go through a gateway or to sign requests; or in its place, to answer
/// from memory in tests. Time limits, retries and the limit on a reply's size stay with the model, around the transport:
/// every attempt is a [`send`](Self::send) of its own, and one that is given up is dropped.
///
/// A request holds the provider's key, in a header that is marked as sensitive, so that `Debug` does not show it. A
/// reply's body is read as it comes, so it may be a stream.
///
/// ```
/// use reqwest::{Request, Response};
/// use toolwright::Agent;
/// use toolwright::provider::Transport;
/// use toolwright::provider::openai::OpenAiChatModel;
///
/// /// Gives every request the same reply.
/// struct Canned(&'static str);
///
/// impl Transport for Canned {
///     async fn send(&self, request: Request) -> Result<Response, toolwright::error::BoxError> {
///         assert!(request.url().path().ends_with("/chat/completions"));
///         Ok(http::Response::new(self.0).into())
///     }
/// }
///
/// # #[tokio::main]
/// # async fn main() -> toolwright::Result<()> {
/// let reply = r#"{"choices":[{"message":{"content":"Hello!"},"finish_reason":"stop"}]}"#;
/// let model = OpenAiChatModel::builder("gpt-5.2").api_key("unused").transport(Canned(reply)).build()?;
/// let agent = Agent::<()>::builder(model).build()?;
/// assert_eq!(agent.run("Hi").await?.output(), "Hello!");
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot carry requests",
    label = "does not implement `Transport`",
    note = "implement `Transport` for it; a `reqwest::Client` is one already"
)]
pub trait Transport: Send + Sync + 'static {
    /// Sends a POST request, whose body is bytes, and gives the reply, whatever its status, as soon as its headers are there.
    ///
    /// # Errors
    ///
    /// When there was no reply. The request is sent again then, as often as the settings allow. The error is shown as it
    /// is, as the source of the library's own; a [`reqwest::Error`] is shown without its URL, and of one that repeats the
    /// key only the words are left, without it.
    fn send(&self, request: Request) -> impl Future<Output = Result<Response, BoxError>> + Send;
}

impl Transport for reqwest::Client {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        Ok(self.execute(request).await?)
    }
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        (**self).send(request).await
    }
}

/// A transport behind a pointer. Cloning shares it.
#[derive(Clone)]
pub(crate) struct AnyTransport(Arc<dyn ErasedTransport>);

impl AnyTransport {
    /// Hides the type of `transport`.
    pub(crate) fn new(transport: impl Transport) -> Self {
        Self(Arc::new(transport))
    }

    /// The library's own, which all models share that are given none.
    ///
    /// # Errors
    ///
    /// Misuse, when the system has no working TLS or no thread to spare.
    pub(crate) fn own() -> Result<Self> {
        own_transport()
    }

    pub(crate) fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, BoxError>> {
        self.0.send(request)
    }
}

/// [`Transport`] with boxed futures, so that it can stand behind a pointer.
trait ErasedTransport: Send + Sync {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, BoxError>>;
}

impl<T: Transport> ErasedTransport for T {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, BoxError>> {
        Box::pin(Transport::send(self, request))
    }
}
