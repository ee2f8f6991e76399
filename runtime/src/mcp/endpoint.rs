//! Where a server is.

use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncWrite};

use super::command::McpCommand;
use super::http::McpHttp;
use super::secrets::Secrets;
use crate::later::BoxFuture;

/// A pipe to a server, in both directions.
pub(super) type Pipe = (Box<dyn AsyncRead + Send + Unpin>, Box<dyn AsyncWrite + Send + Unpin>);

/// Where a server is.
pub(super) enum Endpoint {
    Command(McpCommand),
    Http(McpHttp),
    /// At the other end of a pipe.
    Pipe(Dial),
    /// At the other end of the only pipe that there is.
    OnlyPipe(Dial),
}

/// Makes a pipe, anew for each connection.
pub(super) type Dial = Box<dyn Fn() -> BoxFuture<'static, io::Result<Pipe>> + Send + Sync>;

/// Gives the one pipe that there is.
pub(super) fn dial_once(io: impl AsyncRead + AsyncWrite + Send + 'static) -> Dial {
    let (incoming, outgoing) = tokio::io::split(io);
    let pipe: Pipe = (Box::new(incoming), Box::new(outgoing));
    let pipe = Mutex::new(Some(pipe));
    Box::new(move || {
        let pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner).take();
        let gone = || io::Error::new(io::ErrorKind::NotConnected, "its pipe was used up by an earlier connection");
        Box::pin(async move { pipe.ok_or_else(gone) })
    })
}

/// Gives a pipe each time it is asked to.
pub(super) fn dial_with<F, Fut, T>(connect: F) -> Dial
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = io::Result<T>> + Send + 'static,
    T: AsyncRead + AsyncWrite + Send + 'static,
{
    Box::new(move || {
        let connecting = connect();
        Box::pin(async move {
            let (incoming, outgoing) = tokio::io::split(connecting.await?);
            let pipe: Pipe = (Box::new(incoming), Box::new(outgoing));
            Ok(pipe)
        })
    })
}

impl Endpoint {
    /// Whether it can be connected to more than once.
    pub(super) fn is_renewable(&self) -> bool {
        !matches!(self, Self::OnlyPipe(_))
    }

    pub(super) fn secrets(&self) -> Secrets {
        match self {
            Self::Command(command) => command.secrets(),
            Self::Http(http) => http.secrets(),
            Self::Pipe(_) | Self::OnlyPipe(_) => Secrets::default(),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(command) => command.program.display().fmt(f),
            Self::Http(http) => http.shown().fmt(f),
            Self::Pipe(_) | Self::OnlyPipe(_) => f.write_str("at a pipe"),
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(command) => command.fmt(f),
            Self::Http(http) => http.fmt(f),
            Self::Pipe(_) | Self::OnlyPipe(_) => f.write_str("Pipe"),
        }
    }
}
