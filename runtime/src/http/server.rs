//! A server on loopback that answers what a test says, one connection after the other.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What the server does with one connection.
pub(crate) enum Say {
    /// Writes this, and closes.
    Bytes(String),
    /// Writes this, and waits for the client to close.
    Hang(String),
}

/// A reply with a status, header lines and a body.
pub(crate) fn reply(status: u16, headers: &[&str], body: &str) -> Say {
    Say::Bytes(raw(status, headers, body.len(), body))
}

/// A reply that says its body has `length` bytes, whatever it has.
pub(crate) fn raw(status: u16, headers: &[&str], length: usize, body: &str) -> String {
    let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}")
}

/// The running server.
pub(crate) struct Server {
    /// Where it is, with no path.
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<String>>>,
    closed: Arc<Notify>,
}

impl Server {
    /// Answers one connection after the other with `script`, and no further one.
    pub(crate) async fn start(script: Vec<Say>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback is there");
        let address = listener.local_addr().expect("a bound socket has an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let closed = Arc::new(Notify::new());
        let server = Self { url: format!("http://{address}"), requests: requests.clone(), closed: closed.clone() };
        tokio::spawn(async move {
            for say in script {
                let Ok((mut socket, _)) = listener.accept().await else { return };
                let request = read_request(&mut socket).await;
                requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
                let closed = closed.clone();
                match say {
                    Say::Bytes(bytes) => {
                        let _ = socket.write_all(bytes.as_bytes()).await;
                        let _ = socket.shutdown().await;
                    }
                    Say::Hang(bytes) => {
                        tokio::spawn(async move {
                            let _ = socket.write_all(bytes.as_bytes()).await;
                            while socket.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
                            closed.notify_one();
                        });
                    }
                }
            }
        });
        server
    }

    /// The requests so far, as they came.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The bodies of the requests so far.
    pub(crate) fn bodies(&self) -> Vec<String> {
        let body =
            |request: String| request.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
        self.requests().into_iter().map(body).collect()
    }

    /// Waits until the client has closed a connection that hangs.
    pub(crate) async fn client_has_closed(&self) {
        tokio::time::timeout(Duration::from_secs(5), self.closed.notified()).await.expect("the client closes");
    }
}

async fn read_request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if body.len() >= length.unwrap_or_default() {
                return text;
            }
        }
        match socket.read(&mut buffer).await {
            Ok(read) if read > 0 => bytes.extend_from_slice(&buffer[..read]),
            _ => return text,
        }
    }
}
