//! A transport whose messages are looked at as they pass.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleClient;
use rmcp::model::{
    GetExtensions, GetMeta, JsonRpcMessage, JsonRpcNotification, ProgressToken, RequestId, ServerJsonRpcMessage,
    ServerNotification,
};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use tokio::sync::mpsc;

use super::log::ServerLog;
use super::progress::{Passport, Progress};
use crate::wording::shortened;

/// How many requests a server may have open at a time.
const OPEN_REQUESTS: usize = 32;
/// The longest message of a progress report, in characters.
const LONGEST_REPORT: usize = 1024;

/// Counts what may have changed a server's tools.
pub(super) type Changes = Arc<AtomicU64>;

/// Counts what a server has said.
pub(super) type Heard = Arc<AtomicU64>;

/// A transport whose messages are looked at as they pass: progress goes straight to its call, in order, and a server cannot
/// cause more work than there is room for.
pub(super) struct Watched<T> {
    inner: T,
    progress: HashMap<ProgressToken, mpsc::Sender<Progress>>,
    changes: Changes,
    heard: Heard,
    log: Arc<ServerLog>,
    /// The server's requests that are not answered yet.
    open: Arc<Mutex<HashSet<RequestId>>>,
}

impl<T> Watched<T> {
    pub(super) fn new(inner: T, changes: Changes, heard: Heard, log: Arc<ServerLog>) -> Self {
        Self { inner, progress: HashMap::new(), changes, heard, log, open: Arc::default() }
    }

    fn requested(&mut self, id: &RequestId) -> Admission {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() == OPEN_REQUESTS {
            self.log.ended(format!("it asked for more than {OPEN_REQUESTS} things at once"));
            return Admission::Flood;
        }
        // A second one with the id of the first could not be answered.
        if open.insert(id.clone()) { Admission::Pass } else { Admission::Drop }
    }

    fn notified(&mut self, notification: &ServerNotification) -> Admission {
        match notification {
            ServerNotification::ProgressNotification(progress) => {
                let params = &progress.params;
                if let Some(call) = self.progress.get(&params.progress_token) {
                    let message = params.message.as_deref();
                    let message = message.map(|text| shortened(text, LONGEST_REPORT).into_owned());
                    // A call that cannot take more is told the next ones.
                    let _ = call.try_send(Progress { done: params.progress, total: params.total, message });
                }
                Admission::Drop
            }
            ServerNotification::ToolListChangedNotification(_) => {
                self.changes.fetch_add(1, Ordering::Relaxed);
                Admission::Drop
            }
            ServerNotification::CancelledNotification(cancelled) => {
                if let Some(id) = &cancelled.params.request_id {
                    self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
                }
                Admission::Pass
            }
            ServerNotification::SubscriptionsAcknowledgedNotification(_) => Admission::Pass,
            _ => Admission::Drop,
        }
    }
}

/// What becomes of a message.
enum Admission {
    Pass,
    Drop,
    /// The server is not listened to any more.
    Flood,
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Watched<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        mut message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &mut message
            && let Some(passport) = request.request.extensions_mut().remove::<Passport>()
        {
            passport.sent.store(true, Ordering::Relaxed);
            if let Some(token) = request.request.get_meta().get_progress_token() {
                self.progress.retain(|_, call| !call.is_closed());
                self.progress.insert(token, passport.progress);
            }
        }
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let open = self.open.clone();
        let sending = self.inner.send(message);
        async move {
            let sent = sending.await;
            if let Some(id) = answered {
                open.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let message = self.inner.receive().await?;
            self.heard.fetch_add(1, Ordering::Relaxed);
            let admission = match &message {
                JsonRpcMessage::Request(request) => self.requested(&request.id),
                JsonRpcMessage::Notification(JsonRpcNotification { notification, .. }) => self.notified(notification),
                _ => Admission::Pass,
            };
            match admission {
                Admission::Pass => return Some(message),
                Admission::Drop => {}
                Admission::Flood => return None,
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
