//! The library's own HTTP client, which all models share that are not given another.

use std::future::pending;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use reqwest::{Request, Response, redirect};
use tokio::runtime::{Builder, Handle};
use tokio_util::task::AbortOnDropHandle;

use super::transport::{AnyTransport, Transport};
use crate::error::{BoxError, Error, Result};

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(10);

/// The transport over the library's own client, which is made once: reading the system's certificates takes long.
///
/// # Errors
///
/// Misuse, when the system has no working TLS or no thread to spare.
pub(super) fn own_transport() -> Result<AnyTransport> {
    static OWN: Mutex<Option<AnyTransport>> = Mutex::new(None);
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    match &*own {
        Some(transport) => Ok(transport.clone()),
        None => {
            let misuse = |error: BoxError| Error::misuse("no HTTP client could be made").with_source(error);
            Ok(own.insert(AnyTransport::new(OwnClient::new().map_err(misuse)?)).clone())
        }
    }
}

/// A client whose connections are on a runtime that never ends. On the runtime of whoever opened them they would break
/// when that ends, and stand still while it is blocked, for everybody who shares them.
struct OwnClient {
    http: reqwest::Client,
    runtime: Handle,
}

impl OwnClient {
    /// Connecting has a time limit, and redirects are refused, as they could lead the key elsewhere.
    fn new() -> Result<Self, BoxError> {
        let agent = concat!("toolwright/", env!("CARGO_PKG_VERSION"));
        let builder =
            reqwest::Client::builder().user_agent(agent).connect_timeout(CONNECT).redirect(redirect::Policy::none());
        let http = builder.build()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        thread::Builder::new().name("toolwright-http".to_owned()).spawn(move || runtime.block_on(pending::<()>()))?;
        Ok(Self { http, runtime: handle })
    }
}

impl Transport for OwnClient {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        let sending = self.runtime.spawn(self.http.execute(request));
        Ok(AbortOnDropHandle::new(sending).await??)
    }
}
