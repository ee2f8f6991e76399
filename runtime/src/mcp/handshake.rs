//! How a session with a server begins.

use std::io;
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ProtocolVersion, ServerCapabilities, SubscriptionFilter};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, RunningService, Subscription, serve_client_with_lifecycle_and_ct,
};
use rmcp::transport::Transport;
use tokio_util::sync::CancellationToken;

use super::child::ServerProcess;
use super::client::Client;
use super::endpoint::Endpoint;
use super::failure::words;
use super::lines::Lines;
use super::log::ServerLog;
use super::settings::Settings;
use super::watched::{Changes, Heard, Watched};
use crate::error::BoxError;

/// A server that hands have been shaken with.
pub(super) type Service = RunningService<RoleClient, Client>;

/// A handshake.
pub(super) struct Handshake<'a> {
    pub(super) endpoint: &'a Endpoint,
    pub(super) settings: &'a Settings,
    pub(super) changes: &'a Changes,
    pub(super) heard: &'a Heard,
    pub(super) log: &'a Arc<ServerLog>,
    pub(super) over: &'a CancellationToken,
}

impl Handshake<'_> {
    /// Shakes hands as most servers do, and as newer ones do where a server knows only that.
    pub(super) async fn run(&self) -> Result<Service, BoxError> {
        let refusal = match self.attempt(ClientLifecycleMode::Initialize).await? {
            Ok(service) => return check_version(service),
            Err(error) => error,
        };
        let is_newer = matches!(&refusal, ClientInitializeError::JsonRpcError(error)
            if [ErrorCode::METHOD_NOT_FOUND, ErrorCode::UNSUPPORTED_PROTOCOL_VERSION].contains(&error.code));
        if is_newer {
            let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] };
            if let Ok(Ok(service)) = self.attempt(lifecycle).await {
                return Ok(service);
            }
        }
        Err(in_words(&refusal).into())
    }

    async fn attempt(
        &self,
        lifecycle: ClientLifecycleMode,
    ) -> Result<Result<Service, ClientInitializeError>, BoxError> {
        let limits = &self.settings.limits;
        match self.endpoint {
            Endpoint::Http(http) => Ok(self.shake_hands(http.transport(limits)?, lifecycle).await),
            Endpoint::Command(command) => {
                let (process, stdin, stdout) = ServerProcess::start(command).map_err(not_started)?;
                let lines = Lines::new(stdout, stdin, limits.message_bytes, self.log.clone()).of_process(process);
                Ok(self.shake_hands(lines, lifecycle).await)
            }
            Endpoint::Pipe(dial) | Endpoint::OnlyPipe(dial) => {
                let (incoming, outgoing) = dial().await?;
                let lines = Lines::new(incoming, outgoing, limits.message_bytes, self.log.clone());
                Ok(self.shake_hands(lines, lifecycle).await)
            }
        }
    }

    async fn shake_hands<T: Transport<RoleClient> + 'static>(
        &self,
        transport: T,
        lifecycle: ClientLifecycleMode,
    ) -> Result<Service, ClientInitializeError> {
        let transport = Watched::new(transport, self.changes.clone(), self.heard.clone(), self.log.clone());
        let client = Client::new(self.settings);
        serve_client_with_lifecycle_and_ct(client, transport, lifecycle, self.over.child_token()).await
    }
}

/// Why there is no session, without the client library's own names.
fn in_words(refusal: &ClientInitializeError) -> String {
    match refusal {
        ClientInitializeError::TransportError { error, .. } => words(&*error.error),
        ClientInitializeError::JsonRpcError(error) => format!("it refuses: {}", error.message),
        ClientInitializeError::ConnectionClosed(_) => "the connection has ended".to_owned(),
        ClientInitializeError::Cancelled => "the run is over".to_owned(),
        _ => "it does not answer as MCP servers do".to_owned(),
    }
}

fn not_started(error: io::Error) -> BoxError {
    format!("it could not be started: {error}").into()
}

fn check_version(service: Service) -> Result<Service, BoxError> {
    let info = service.peer_info().ok_or("it has not said who it is")?;
    if ProtocolVersion::KNOWN_VERSIONS.contains(&info.protocol_version) {
        return Ok(service);
    }
    Err(format!("it speaks version {} of the protocol, which is not known", info.protocol_version).into())
}

/// Whether a server that can do this tells of changed tools.
pub(super) fn tells_of_changes(capabilities: &ServerCapabilities) -> bool {
    capabilities.tools.as_ref().is_some_and(|tools| tools.list_changed == Some(true))
}

/// Asks to be told of changed tools, where that has to be asked for.
pub(super) async fn subscribe(service: &Service) -> Result<Option<Subscription>, BoxError> {
    let Some(info) = service.peer_info() else { return Ok(None) };
    if info.protocol_version.has_initialize() || !tells_of_changes(&info.capabilities) {
        return Ok(None);
    }
    let mut filter = SubscriptionFilter::default();
    filter.tools_list_changed = Some(true);
    Ok(Some(service.listen(filter).await?))
}
