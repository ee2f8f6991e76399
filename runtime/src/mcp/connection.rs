//! A line to a server: sessions on it come and go, and what is known of the server stays.

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::endpoint::Endpoint;
use super::failure::Failure;
use super::result::CallOutcome;
use super::secrets::Secrets;
use super::session::{CallRequest, Session};
use super::settings::Settings;
use super::time_limit::TimeLimit;
use super::tools::{RemoteTool, remote_tools};
use super::watched::Changes;
use crate::error::{BoxError, Error, ErrorKind, Result};
use crate::wording::shortened;

/// The longest report of a failure, in characters.
const LONGEST_REPORT: usize = 3000;

/// A server, as the application has described it.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) settings: Settings,
    secrets: Secrets,
}

impl Server {
    pub(super) fn new(endpoint: Arc<Endpoint>, settings: Settings) -> Self {
        Self { secrets: endpoint.secrets(), endpoint, settings }
    }

    /// What it said, as far as it can be shown.
    pub(super) fn shown(&self, text: &str) -> String {
        shortened(&self.secrets.redact(text), LONGEST_REPORT).into_owned()
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.settings.id {
            Some(id) => write!(f, "the MCP server `{id}`"),
            None => write!(f, "the MCP server `{}`", self.endpoint),
        }
    }
}

/// What a server listed.
pub(super) struct Listing {
    /// How many changes had been told of before.
    changes: u64,
    pub(super) tools: Vec<Arc<RemoteTool>>,
}

/// A line to a server: sessions on it come and go, and what is known of the server stays.
pub(super) struct Connection {
    pub(super) server: Arc<Server>,
    /// When it is over.
    over: CancellationToken,
    changes: Changes,
    state: Mutex<State>,
    /// Held by whoever opens a session.
    opening: tokio::sync::Mutex<()>,
    /// Held by whoever lists the tools.
    listing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    session: Option<Arc<Session>>,
    listing: Option<Arc<Listing>>,
    instructions: Option<String>,
}

impl Connection {
    pub(super) fn new(server: Arc<Server>, over: CancellationToken) -> Self {
        Self {
            server,
            over,
            changes: Changes::default(),
            state: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
            listing: tokio::sync::Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Stays the same for as long as the tools do, as far as the server has told.
    pub(super) fn revision(&self) -> Option<u64> {
        let changes = self.changes.load(Ordering::Relaxed);
        self.state().listing.as_ref().map(|_| changes)
    }

    /// What the server says of itself to models.
    pub(super) fn instructions(&self) -> Option<String> {
        self.state().instructions.clone()
    }

    fn open_session(&self) -> Option<Arc<Session>> {
        self.state().session.clone().filter(|session| session.is_open())
    }

    /// The session, opened where there is none.
    async fn session(&self) -> Result<Arc<Session>> {
        if let Some(session) = self.open_session() {
            return Ok(session);
        }
        let _alone = self.opening.lock().await;
        if let Some(session) = self.open_session() {
            return Ok(session);
        }
        let Server { endpoint, settings, .. } = &*self.server;
        let opened = Session::open(endpoint, settings, &self.changes, &self.over).await;
        let unopened = |error: BoxError| {
            let kind = error.downcast_ref().map_or(ErrorKind::Tool, Error::kind);
            self.error(kind, "could not be connected to", &error.to_string())
        };
        let session = Arc::new(opened.map_err(unopened)?);
        let longest = settings.limits.instructions_chars;
        let mut state = self.state();
        state.instructions = session.instructions().map(|text| shortened(&text, longest).into_owned());
        state.session = Some(session.clone());
        // Another session may have other tools.
        self.changes.fetch_add(1, Ordering::Relaxed);
        Ok(session)
    }

    /// The server's tools: those that are known, unless it has told of changes, or a run begins and it never tells. A server that has gone while a run is going
    /// on has the tools that it had.
    ///
    /// # Errors
    ///
    /// When they cannot be had.
    pub(super) async fn listing(&self, run_begins: bool) -> Result<Arc<Listing>> {
        let known = self.state().listing.clone();
        if run_begins && known.is_some() && self.open_session().is_some_and(|session| !session.tells_of_changes()) {
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
        match known {
            Some(known) if self.is_current(&known) || !run_begins && self.open_session().is_none() => Ok(known),
            Some(known) if !run_begins => Ok(self.list().await.unwrap_or(known)),
            _ => self.list().await,
        }
    }

    fn is_current(&self, listing: &Listing) -> bool {
        listing.changes == self.changes.load(Ordering::Relaxed) && self.open_session().is_some()
    }

    async fn list(&self) -> Result<Arc<Listing>> {
        let _alone = self.listing.lock().await;
        let known = self.state().listing.clone();
        if let Some(known) = known.as_ref().filter(|known| self.is_current(known)) {
            return Ok(known.clone());
        }
        let session = self.session().await?;
        let changes = self.changes.load(Ordering::Relaxed);
        let listed = session.tools(&self.server.settings).await;
        let listed =
            listed.map_err(|failure| self.error(ErrorKind::Tool, "has not listed its tools", failure.why()))?;
        let before = known.as_ref().map_or(&[][..], |known| &known.tools);
        let listing = Arc::new(Listing { changes, tools: remote_tools(listed, &self.server.settings, before) });
        self.state().listing = Some(listing.clone());
        Ok(listing)
    }

    /// Calls a tool. Where the connection turns out to be gone before the call has left, another one is tried: `again` gives the
    /// request once more.
    pub(super) async fn call(
        &self,
        request: CallRequest,
        again: impl FnOnce() -> CallRequest,
    ) -> Result<CallOutcome, Failure> {
        let limit = TimeLimit::from_now(self.server.settings.call_timeout);
        match self.session_within(limit).await?.call(request, limit).await {
            Err(Failure::Unsent(_)) => self.session_within(limit).await?.call(again(), limit).await,
            ended => ended,
        }
    }

    async fn session_within(&self, limit: TimeLimit) -> Result<Arc<Session>, Failure> {
        let opened = limit.hold(self.session()).await.map_err(Failure::Unsent)?;
        opened.map_err(|error| Failure::Unsent(error.to_string()))
    }

    fn error(&self, kind: ErrorKind, what: &str, why: &str) -> Error {
        Error::new(kind, format!("{} {what}: {}", self.server, self.server.shown(why)))
    }
}
