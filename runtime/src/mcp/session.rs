//! A session with a server, from its handshake to its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::FutureExt;
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam, ClientRequest,
    GetExtensions, InputRequest, InputRequiredResult, InputResponses, ListToolsRequest, MetaObject,
    PaginatedRequestParams, RequestId, RequestMetaObject, ServerResult,
};
use rmcp::service::{Peer, PeerRequestOptions, Subscription};
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::endpoint::Endpoint;
use super::failure::{Failure, words};
use super::handshake::{Handshake, Service, subscribe, tells_of_changes};
use super::log::ServerLog;
use super::progress::{Passport, Progress, channel};
use super::result::CallOutcome;
use super::settings::Settings;
use super::time_limit::TimeLimit;
use super::watched::{Changes, Heard};
use crate::error::BoxError;

/// How many questions of a server are answered at once.
const QUESTIONS: usize = 32;

/// How often a server may ask for more before it gives a call's result.
const INPUT_ROUNDS: usize = 10;
/// How many pages a list may have.
const PAGES: usize = 1000;

/// A session with a server, from its handshake to its end: it ends when this is dropped.
pub(super) struct Session {
    service: Service,
    pub(super) log: Arc<ServerLog>,
    heard: Heard,
    /// Whether another session can be had once this one is of no use.
    is_renewable: bool,
    is_broken: AtomicBool,
    /// Kept, as dropping it would end it: the server tells of changed tools only while it is there.
    _subscription: Option<Subscription>,
}

/// What a call is made with.
pub(super) struct CallRequest {
    pub(super) name: String,
    pub(super) args: Map<String, Value>,
    pub(super) metadata: Option<Map<String, Value>>,
    pub(super) progress: mpsc::Sender<Progress>,
}

impl Session {
    /// Connects, and shakes hands. The session ends with `over`, too.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, is none, or takes too long.
    pub(super) async fn open(
        endpoint: &Endpoint,
        settings: &Settings,
        changes: &Changes,
        over: &CancellationToken,
    ) -> Result<Self, BoxError> {
        let (log, heard) = (Arc::new(ServerLog::default()), Heard::default());
        let opening = async {
            let service = Handshake { endpoint, settings, changes, heard: &heard, log: &log, over }.run().await?;
            let subscription = subscribe(&service).await?;
            Ok::<_, BoxError>((service, subscription))
        };
        match TimeLimit::from_now(settings.connect_timeout).hold(opening).await {
            Ok(Ok((service, subscription))) => Ok(Self {
                service,
                log,
                heard,
                is_renewable: endpoint.is_renewable(),
                is_broken: AtomicBool::new(false),
                _subscription: subscription,
            }),
            Ok(Err(error)) if error.is::<crate::Error>() => Err(error),
            Ok(Err(error)) => Err(with_log(words(&*error), &log).into()),
            Err(late) => Err(with_log(late, &log).into()),
        }
    }

    /// Whether the server can be asked anything.
    pub(super) fn is_open(&self) -> bool {
        !self.is_broken.load(Ordering::Relaxed) && !self.service.is_transport_closed()
    }

    /// What the server says of itself to models.
    pub(super) fn instructions(&self) -> Option<String> {
        self.service.peer_info()?.instructions.clone().filter(|text| !text.trim().is_empty())
    }

    /// Whether the server tells of changed tools.
    pub(super) fn tells_of_changes(&self) -> bool {
        self.service.peer_info().is_some_and(|info| tells_of_changes(&info.capabilities))
    }

    /// The server's tools, on all pages, as it describes them.
    pub(super) async fn tools(&self, settings: &Settings) -> Result<Vec<Value>, Failure> {
        let listing = async {
            let (mut tools, mut cursor, mut size) = (Vec::new(), None, 0);
            for _ in 0..PAGES {
                let (page, next) = self.page(cursor.clone()).await?;
                size += page.iter().map(|tool| tool.to_string().len()).sum::<usize>();
                if size > settings.limits.message_bytes {
                    let most = settings.limits.message_bytes;
                    return Err(Failure::Refused(format!(
                        "its list of tools is larger than {most} bytes; raise `McpLimits::message_bytes`"
                    )));
                }
                tools.extend(page);
                if tools.len() > settings.limits.tools {
                    let most = settings.limits.tools;
                    return Err(Failure::Refused(format!("it lists more than {most} tools; raise `McpLimits::tools`")));
                }
                match next {
                    None => return Ok(tools),
                    // A longer circle has too many pages.
                    next if next == cursor => {
                        return Err(Failure::Refused("its list of tools leads in a circle".to_owned()));
                    }
                    next => cursor = next,
                }
            }
            Err(Failure::Refused(format!("its list of tools has more than {PAGES} pages")))
        };
        self.in_time(TimeLimit::from_now(settings.connect_timeout), listing).await
    }

    async fn page(&self, cursor: Option<String>) -> Result<(Vec<Value>, Option<String>), Failure> {
        let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let request = ListToolsRequest { method: Default::default(), params, extensions: Default::default() };
        let unreadable =
            |error: serde_json::Error| Failure::Refused(format!("its list of tools cannot be read: {error}"));
        match self.ask(ClientRequest::ListToolsRequest(request), PeerRequestOptions::default(), None).await? {
            ServerResult::ListToolsResult(page) => {
                let tools = page.tools.iter().map(serde_json::to_value).collect::<Result<_, _>>();
                // Some servers end their list with an empty cursor.
                Ok((tools.map_err(unreadable)?, page.next_cursor.filter(|cursor| !cursor.is_empty())))
            }
            // A list in which the client library cannot read every tool: the others are still there.
            ServerResult::CustomResult(mut page) => {
                let cursor = page.0.get("nextCursor").and_then(Value::as_str).filter(|cursor| !cursor.is_empty());
                let cursor = cursor.map(str::to_owned);
                match page.0.get_mut("tools").map(Value::take) {
                    Some(Value::Array(tools)) => Ok((tools, cursor)),
                    _ => Err(Failure::Refused("its list of tools is none".to_owned())),
                }
            }
            _ => Err(Failure::Refused("its list of tools is none".to_owned())),
        }
    }

    /// Calls a tool, and answers what the server asks for in the meantime. Dropping the future tells the server to stop.
    pub(super) async fn call(&self, request: CallRequest, limit: TimeLimit) -> Result<CallOutcome, Failure> {
        self.in_time(limit, self.rounds(request)).await
    }

    async fn rounds(&self, request: CallRequest) -> Result<CallOutcome, Failure> {
        let mut params = CallToolRequestParams::new(request.name).with_arguments(request.args);
        for round in 0..INPUT_ROUNDS {
            let again = self.asks_in_results().then(|| params.clone());
            let mut options = PeerRequestOptions::default();
            if let Some(metadata) = &request.metadata {
                options = options.with_meta(RequestMetaObject(MetaObject(metadata.clone())));
            }
            let call = CallToolRequest::new(params);
            let progress = Some(request.progress.clone());
            let result = self.ask(ClientRequest::CallToolRequest(call), options, progress).await;
            let result = if round == 0 { result? } else { result.map_err(|failure| self.broken_off(failure))? };
            match (CallOutcome::of(result)?, again) {
                (Ok(outcome), _) => return Ok(outcome),
                (Err(asked), Some(again)) => {
                    params = self.with_answers(again, asked).await?;
                }
                (Err(_), None) => return Err(Failure::Refused("it asks in a way its version has not".to_owned())),
            }
        }
        Err(Failure::Refused(format!("it asked for more than {INPUT_ROUNDS} times before it gave a result")))
    }

    /// What a failure in the middle of a call comes to: what never arrived is its answer, and not the call, which has begun.
    fn broken_off(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Unsent(why) => {
                self.is_broken.store(true, Ordering::Relaxed);
                Failure::Lost(why)
            }
            other => other,
        }
    }

    /// Whether the server's version asks for more in results, in place of requests of its own.
    fn asks_in_results(&self) -> bool {
        self.service.peer_info().is_some_and(|info| !info.protocol_version.has_initialize())
    }

    async fn with_answers(
        &self,
        mut params: CallToolRequestParams,
        asked: InputRequiredResult,
    ) -> Result<CallToolRequestParams, Failure> {
        let client = self.service.service();
        let mut answers = InputResponses::new();
        let requests = asked.input_requests.unwrap_or_default();
        if requests.len() > QUESTIONS {
            return Err(Failure::Refused(format!("it asks more than {QUESTIONS} questions at once")));
        }
        for (key, request) in requests {
            let answer = match request {
                InputRequest::Elicitation(request) => client.elicit(request.params).await.map(serde_json::to_value),
                InputRequest::CreateMessage(request) => client.sample(request.params).await.map(serde_json::to_value),
                _ => return Err(Failure::Refused("it asks for something that nobody can give it".to_owned())),
            };
            let answer = answer.map_err(|error| Failure::Refused(error.message.to_string()))?;
            answers.insert(key, answer.map_err(|error| Failure::Refused(error.to_string()))?);
        }
        params.input_responses = (!answers.is_empty()).then_some(answers);
        params.request_state = asked.request_state;
        Ok(params)
    }

    async fn ask(
        &self,
        mut request: ClientRequest,
        options: PeerRequestOptions,
        progress: Option<mpsc::Sender<Progress>>,
    ) -> Result<ServerResult, Failure> {
        let sent = Arc::new(AtomicBool::new(false));
        let progress = progress.unwrap_or_else(|| channel().0);
        request.extensions_mut().insert(Passport { progress, sent: sent.clone() });
        let handle = self.service.send_request_with_option(request, options).await;
        let failure = |error| Failure::of(&error, sent.load(Ordering::Relaxed));
        let handle = handle.map_err(failure)?;
        let mut waiting = Waiting { peer: &self.service, id: Some(handle.id) };
        let answer = handle.rx.await;
        waiting.id = None;
        answer.unwrap_or(Err(rmcp::ServiceError::TransportClosed)).map_err(failure)
    }

    async fn in_time<T>(
        &self,
        limit: TimeLimit,
        asking: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let heard = self.heard.load(Ordering::Relaxed);
        let ended = limit.hold(asking).await.unwrap_or_else(|late| Err(Failure::Late(late)));
        let is_broken = match &ended {
            Err(Failure::Unsent(_)) => true,
            // A server that says nothing at all may hang for ever; one that cannot be had again is given another chance.
            Err(Failure::Late(_)) => self.is_renewable && self.heard.load(Ordering::Relaxed) == heard,
            _ => false,
        };
        if is_broken {
            self.is_broken.store(true, Ordering::Relaxed);
        }
        ended.map_err(|failure| match failure {
            Failure::Unsent(why) => Failure::Unsent(with_log(why, &self.log)),
            Failure::Lost(why) => Failure::Lost(with_log(why, &self.log)),
            other => other,
        })
    }
}

/// A request whose answer is waited for. The server is told when nobody waits any more.
struct Waiting<'a> {
    peer: &'a Peer<RoleClient>,
    id: Option<RequestId>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let reason = "nobody waits for the result any more".to_owned();
        let notification = CancelledNotification::new(CancelledNotificationParam::new(Some(id), Some(reason)));
        // The first poll puts it in line, where there is room; nobody waits until it is sent.
        let _ = self.peer.send_notification(notification.into()).now_or_never();
    }
}

fn with_log(why: String, log: &ServerLog) -> String {
    match log.told() {
        Some(told) => format!("{why}; {told}"),
        None => why,
    }
}
