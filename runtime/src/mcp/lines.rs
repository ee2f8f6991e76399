//! Messages as lines over a pipe: to a process, or to anything else that reads and writes.

use std::io;
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ErrorData, ServerJsonRpcMessage};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, Notify};
use tokio::time::timeout;

use super::child::{LAST_WORDS, ServerProcess};
use super::log::ServerLog;

/// How many messages may wait until a server reads them.
const WAITING: usize = 1024;

type Incoming = Box<dyn AsyncRead + Send + Unpin>;
type Outgoing = Box<dyn AsyncWrite + Send + Unpin>;

/// Messages as lines over a pipe. Unlike the client library's own, it ends a connection whose messages are too long, answers
/// a call whose answer cannot be read, and keeps what else is said for errors.
pub(super) struct Lines {
    incoming: BufReader<Incoming>,
    line: Vec<u8>,
    outgoing: Arc<Mutex<Option<Outgoing>>>,
    /// Told when the server does not read any more.
    unread: Arc<Notify>,
    longest: usize,
    log: Arc<ServerLog>,
    process: Option<ServerProcess>,
}

impl Lines {
    /// Lines of at most `longest` bytes.
    pub(super) fn new(
        incoming: impl AsyncRead + Send + Unpin + 'static,
        outgoing: impl AsyncWrite + Send + Unpin + 'static,
        longest: usize,
        log: Arc<ServerLog>,
    ) -> Self {
        Self {
            incoming: BufReader::new(Box::new(incoming)),
            line: Vec::new(),
            outgoing: Arc::new(Mutex::new(Some(Box::new(outgoing)))),
            unread: Arc::default(),
            longest,
            log,
            process: None,
        }
    }

    /// The same with the process at the other end, which ends with the connection.
    pub(super) fn of_process(self, process: ServerProcess) -> Self {
        Self { process: Some(process), ..self }
    }

    /// Waits until there is a whole line; false where none comes any more. What was read when the future is dropped is kept.
    async fn next_line(&mut self) -> io::Result<bool> {
        loop {
            match &mut self.process {
                None => drop(self.incoming.fill_buf().await?),
                Some(process) => tokio::select! {
                    biased;
                    filled = self.incoming.fill_buf() => drop(filled?),
                    () = process.note(&self.log) => continue,
                },
            }
            let available = self.incoming.buffer();
            if available.is_empty() {
                return Ok(false);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            if self.line.len() + taken > self.longest {
                return Err(io::Error::other(format!("it sent a message of more than {} bytes", self.longest)));
            }
            self.line.extend_from_slice(&available[..taken]);
            self.incoming.consume(taken);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// Keeps why no more messages come.
    async fn note_end(&mut self, why: &str) {
        if let Some(process) = &mut self.process {
            process.note_end(&self.log).await;
        }
        self.log.ended(why);
    }
}

impl Transport<RoleClient> for Lines {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleClient>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        // Whoever sends holds one.
        let is_full = Arc::strong_count(&self.outgoing) > WAITING;
        let (outgoing, unread) = (self.outgoing.clone(), self.unread.clone());
        async move {
            if is_full {
                return Err(io::Error::other("it does not read what it is sent"));
            }
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            match &mut *outgoing.lock().await {
                Some(outgoing) => {
                    let written = async {
                        outgoing.write_all(&line).await?;
                        outgoing.flush().await
                    };
                    match written.await {
                        // Why it is gone, its end tells.
                        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                            unread.notify_one();
                            Ok(())
                        }
                        written => written,
                    }
                }
                None => Err(io::ErrorKind::NotConnected.into()),
            }
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        let unread = self.unread.clone();
        loop {
            let line = tokio::select! {
                biased;
                line = self.next_line() => line,
                () = unread.notified() => timeout(LAST_WORDS, self.next_line()).await.unwrap_or(Ok(false)),
            };
            match line {
                Ok(true) => {
                    let message = read_message(&self.line, &self.log);
                    self.line.clear();
                    if message.is_some() {
                        return message;
                    }
                }
                Ok(false) => {
                    self.note_end("it closed the connection").await;
                    return None;
                }
                Err(error) => {
                    self.log.ended(error.to_string());
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        // Whoever holds it writes to a server that does not read.
        if let Ok(mut outgoing) = self.outgoing.try_lock() {
            *outgoing = None;
        }
        if let Some(process) = &mut self.process {
            process.end().await;
        }
        Ok(())
    }
}

/// What can be told of a message that is nothing else.
#[derive(Deserialize)]
struct Envelope {
    id: rmcp::model::RequestId,
    method: Option<IgnoredAny>,
}

/// The message in a line. Where it is none, whoever waits for it is told so.
fn read_message(line: &[u8], log: &ServerLog) -> Option<ServerJsonRpcMessage> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return None;
    }
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Some(message),
        Err(error) => error,
    };
    match serde_json::from_slice(line) {
        Ok(Envelope { id, method: None }) => {
            let message = format!("its answer cannot be read: {error}");
            Some(ServerJsonRpcMessage::error(ErrorData::internal_error(message, None), Some(id)))
        }
        _ => {
            log.said(line);
            log.said(b"\n");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::ClientJsonRpcMessage;
    use serde_json::json;

    use super::*;
    use crate::later::BoxFuture;

    #[tokio::test]
    async fn messages_that_nobody_reads_do_not_pile_up() {
        let (client, server) = tokio::io::duplex(1024);
        let (incoming, outgoing) = tokio::io::split(client);
        let mut lines = Lines::new(incoming, outgoing, 1024, Arc::default());
        let message = || -> ClientJsonRpcMessage {
            serde_json::from_value(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).expect("a message")
        };
        let mut waiting: Vec<BoxFuture<'static, io::Result<()>>> = Vec::new();
        for _ in 0..WAITING {
            waiting.push(Box::pin(lines.send(message())));
        }
        let error = lines.send(message()).await.expect_err("too many");
        assert_eq!(error.to_string(), "it does not read what it is sent");
        drop(waiting);
        lines.send(message()).await.expect("there is room again");
        drop(server);
    }
}
