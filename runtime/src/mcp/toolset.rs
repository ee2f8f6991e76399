//! The tools of an MCP server as a toolset.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::call::{CallMetadata, RemoteCall};
use super::capability::McpCapability;
use super::command::McpCommand;
use super::connection::{Connection, Listing, Server};
use super::elicitation::{Elicitation, ElicitationAnswer};
use super::endpoint::{Endpoint, dial_once, dial_with};
use super::http::McpHttp;
use super::limits::McpLimits;
use super::settings::{Settings, ToolErrorBehavior};
use crate::context::RunContext;
use crate::error::{BoxError, Result};
use crate::message::ModelResponse;
use crate::model::ModelInput;
use crate::tool::{Tool, ToolBody};
use crate::toolset::Toolset;

/// The tools of an MCP server.
///
/// A cheap handle: clones share the connection. It is made when a run first asks for the tools, and kept until the last handle
/// is gone, unless [`once_per_run`](Self::once_per_run) ends it with each run. When it breaks, the next call makes it anew; a
/// call that may have run is never made twice.
///
/// Whatever can stand around a toolset can stand around this one. See [`docs::mcp`](crate::docs::mcp) for what becomes of what a
/// server says.
///
/// ```
/// use toolwright::mcp::{McpCommand, McpHttp, McpToolset};
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, ToolsetExt};
///
/// # fn main() -> toolwright::Result<()> {
/// let files = McpToolset::stdio(McpCommand::new("mcp-server-filesystem").arg("/data")).with_id("files");
/// let web = McpToolset::http(McpHttp::new("http://localhost:8000/mcp").bearer("a token")).with_id("web");
/// let agent = Agent::<()>::builder(TestModel::new())
///     .toolset(files.prefixed("files"))
///     .toolset(web.defer_loading(None))
///     .build()?;
/// # let _ = agent;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct McpToolset<D> {
    server: Arc<Server>,
    call_metadata: Option<CallMetadata<D>>,
    shared: Arc<Shared<D>>,
}

struct Shared<D> {
    /// The connection that is kept.
    kept: Arc<Connection>,
    /// The connections of runs that go on, where each has its own.
    of_runs: Mutex<Vec<(String, Arc<Connection>)>>,
    /// The tools that were made of the newest listing.
    made: Mutex<Option<Made<D>>>,
}

struct Made<D> {
    listing: Arc<Listing>,
    tools: Vec<Tool<D>>,
}

impl<D: Send + Sync + 'static> McpToolset<D> {
    /// The tools of a server that is a program: it is started when a run first asks for them.
    pub fn stdio(command: McpCommand) -> Self {
        Self::at(Endpoint::Command(command))
    }

    /// The tools of a server at a URL, or at an [`McpHttp`], which has more to say about it.
    pub fn http(server: impl Into<McpHttp>) -> Self {
        Self::at(Endpoint::Http(server.into()))
    }

    /// The tools of a server at the other end of a pipe, such as [`tokio::io::duplex`]. Once it has broken, it cannot be made
    /// anew, and one that speaks only version 2026-07-28 is connected to twice: both take [`connect_with`](Self::connect_with).
    pub fn pipe(io: impl AsyncRead + AsyncWrite + Send + 'static) -> Self {
        Self::at(Endpoint::OnlyPipe(dial_once(io)))
    }

    /// The same with a function that makes a pipe, for each connection anew.
    pub fn connect_with<F, Fut, T>(connect: F) -> Self
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = io::Result<T>> + Send + 'static,
        T: AsyncRead + AsyncWrite + Send + 'static,
    {
        Self::at(Endpoint::Pipe(dial_with(connect)))
    }

    fn at(endpoint: Endpoint) -> Self {
        Self::of(Server::new(Arc::new(endpoint), Settings::default()), None)
    }

    fn of(server: Server, call_metadata: Option<CallMetadata<D>>) -> Self {
        let server = Arc::new(server);
        let kept = Arc::new(Connection::new(server.clone(), CancellationToken::new()));
        let shared = Arc::new(Shared { kept, of_runs: Mutex::default(), made: Mutex::default() });
        Self { server, call_metadata, shared }
    }

    fn edit(self, edit: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = self.server.settings.clone();
        edit(&mut settings);
        Self::of(Server::new(self.server.endpoint.clone(), settings), self.call_metadata)
    }

    /// Names the server, in errors and in its tools. Like everything that is set here, it holds for this handle, and not for
    /// those cloned before.
    pub fn with_id(self, id: impl Into<String>) -> Self {
        self.edit(|settings| settings.id = Some(id.into()))
    }

    /// What becomes of a call that the server answers with an error; the model is asked to try again, unless this is set.
    pub fn with_tool_error_behavior(self, behavior: ToolErrorBehavior) -> Self {
        self.edit(|settings| settings.error_behavior = behavior)
    }

    /// How often the model may be asked to try one of the tools again; as the agent says, unless set.
    pub fn with_max_retries(self, max_retries: u32) -> Self {
        self.edit(|settings| settings.max_retries = Some(max_retries))
    }

    /// How long connecting may take, and how long listing the tools may: 30 seconds, unless set.
    pub fn with_connect_timeout(self, limit: Duration) -> Self {
        self.edit(|settings| settings.connect_timeout = limit)
    }

    /// How long a call may take, with connecting where that is needed, and whatever its server says in the meantime: five minutes,
    /// unless set. A call that takes longer has failed, and the server is told to stop it; one that has said nothing at all since
    /// is connected to anew by the next call, except at a [`pipe`](Self::pipe).
    pub fn with_call_timeout(self, limit: Duration) -> Self {
        self.edit(|settings| settings.call_timeout = limit)
    }

    /// How much is taken of what the server says.
    pub fn with_limits(self, limits: McpLimits) -> Self {
        self.edit(|settings| settings.limits = limits)
    }

    /// Connects anew for each run, and ends the connection with the run.
    pub fn once_per_run(self) -> Self {
        self.edit(|settings| settings.once_per_run = true)
    }

    /// Sends what `metadata` gives with each call, as its `_meta`: for what the server is to know and the model is not, such as
    /// whose call it is. Nothing, where it gives `None`.
    pub fn with_call_metadata(
        mut self,
        metadata: impl Fn(&RunContext<D>) -> Option<Map<String, Value>> + Send + Sync + 'static,
    ) -> Self {
        self.call_metadata = Some(Arc::new(metadata));
        self
    }

    /// Answers what the server asks the user for in the middle of a call. Its time counts for the call. Without a handler, and
    /// unless it answers, the server is told no.
    ///
    /// A handler of a connection that several runs share does not know for which of them the server asks.
    pub fn on_elicitation<F, Fut, E>(self, handler: F) -> Self
    where
        F: Fn(Elicitation) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<ElicitationAnswer, E>> + Send + 'static,
        E: Into<BoxError>,
    {
        let handler = Arc::new(handler);
        self.edit(|settings| {
            settings.elicitation = Some(Arc::new(move |asked| {
                let handler = handler.clone();
                Box::pin(async move { handler(asked).await.map_err(Into::into) })
            }));
        })
    }

    /// Answers what the server asks a model, such as with [`model::request`](crate::model::request). Without a handler, the
    /// server is told that there is none.
    pub fn on_sampling<F, Fut, E>(self, handler: F) -> Self
    where
        F: Fn(ModelInput) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<ModelResponse, E>> + Send + 'static,
        E: Into<BoxError>,
    {
        let handler = Arc::new(handler);
        self.edit(|settings| {
            settings.sampling = Some(Arc::new(move |input| {
                let handler = handler.clone();
                Box::pin(async move { handler(input).await.map_err(Into::into) })
            }));
        })
    }

    /// The server as a capability: its tools, and what it says of itself as instructions for the model. They are the server's
    /// own words, so this is for servers that are trusted.
    pub fn with_instructions(self) -> McpCapability<D> {
        McpCapability::new(self)
    }

    /// The connection of a run.
    pub(super) fn connection(&self, ctx: &RunContext<D>) -> Arc<Connection> {
        if !self.server.settings.once_per_run {
            return self.shared.kept.clone();
        }
        let mut of_runs = self.shared.of_runs.lock().unwrap_or_else(PoisonError::into_inner);
        of_runs.retain(|(_, connection)| !connection.is_over());
        if let Some((_, connection)) = of_runs.iter().find(|(run, _)| run == ctx.run_id()) {
            return connection.clone();
        }
        let connection = Arc::new(Connection::new(self.server.clone(), ctx.run().cancel.end()));
        of_runs.push((ctx.run_id().to_owned(), connection.clone()));
        connection
    }

    /// The tools of a listing; those that were made of it before, where there are some.
    fn made(&self, connection: &Arc<Connection>, listing: Arc<Listing>) -> Vec<Tool<D>> {
        let mut made = self.shared.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = made.as_ref().filter(|made| Arc::ptr_eq(&made.listing, &listing)) {
            return made.tools.clone();
        }
        let tools: Vec<_> = listing
            .tools
            .iter()
            .map(|tool| {
                let call = RemoteCall {
                    connection: connection.clone(),
                    tool: tool.clone(),
                    metadata: self.call_metadata.clone(),
                };
                let body: Arc<dyn ToolBody<D>> = Arc::new(call);
                let mut made = Tool::from_parts(tool.definition.clone(), body);
                made.inner_mut().max_retries = self.server.settings.max_retries;
                made
            })
            .collect();
        *made = Some(Made { listing, tools: tools.clone() });
        tools
    }
}

impl<D: Send + Sync + 'static> Toolset<D> for McpToolset<D> {
    fn id(&self) -> Option<&str> {
        self.server.settings.id.as_deref()
    }

    fn revision(&self) -> Option<u64> {
        if self.server.settings.once_per_run { None } else { self.shared.kept.revision() }
    }

    async fn tools(&self, ctx: &RunContext<D>) -> Result<Vec<Tool<D>>> {
        let connection = self.connection(ctx);
        let listing = connection.listing(ctx.run_step() <= 1).await?;
        Ok(self.made(&connection, listing))
    }
}

impl<D> Clone for McpToolset<D> {
    fn clone(&self) -> Self {
        Self { server: self.server.clone(), call_metadata: self.call_metadata.clone(), shared: self.shared.clone() }
    }
}

impl<D> fmt::Debug for McpToolset<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpToolset")
            .field("id", &self.server.settings.id)
            .field("endpoint", &self.server.endpoint)
            .finish_non_exhaustive()
    }
}
