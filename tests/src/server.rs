//! An HTTP server on loopback that says what it was told to say, in order, whatever it is asked.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// One reply. It ends the connection if it has the header `connection: close`, and is as long as its `content-length`
/// says only if that is not given.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<Value>,
    sse: Option<String>,
    raw: Option<String>,
}

/// One request, as it came.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Asked {
    /// The method.
    pub method: String,
    /// The path, with its query.
    pub path: String,
    /// By their names in small letters.
    pub headers: BTreeMap<String, Vec<String>>,
    /// The body, whole.
    pub body: Vec<u8>,
}

/// The server; it lives as long as the runtime that it was started on.
#[derive(Debug)]
pub struct Server {
    url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    replies: VecDeque<Reply>,
    asked: Vec<Asked>,
}

impl Server {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// When no port on loopback can be had.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let state: Arc<Mutex<State>> = Arc::default();
        tokio::spawn(accept(listener, state.clone()));
        Ok(Self { url, state })
    }

    /// Where it is, with no path.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What the server will say from here on.
    pub fn will_say(&self, replies: &[Reply]) {
        locked(&self.state).replies = replies.iter().cloned().collect();
    }

    /// What the server was asked since the last time this was called.
    pub fn was_asked(&self) -> Vec<Asked> {
        std::mem::take(&mut locked(&self.state).asked)
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, state: Arc<Mutex<State>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let state = state.clone();
        // A connection that breaks is the client's affair.
        tokio::spawn(async move { serve(stream, &state).await });
    }
}

/// Answers the requests of one connection, one after the other.
async fn serve(stream: TcpStream, state: &Mutex<State>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some(asked) = read_request(&mut stream).await? {
        let reply = {
            let mut state = locked(state);
            state.asked.push(asked);
            Reply::or_none_left(state.replies.pop_front())
        };
        stream.write_all(&reply.to_bytes()).await?;
        stream.flush().await?;
        if reply.header("connection") == Some("close") {
            break;
        }
    }
    Ok(())
}

async fn read_request(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Asked>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let mut asked =
        Asked { method: words.next().unwrap_or_default(), path: words.next().unwrap_or_default(), ..Asked::default() };
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 || line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            asked.headers.entry(name.trim().to_ascii_lowercase()).or_default().push(value.trim().to_owned());
        }
    }
    asked.body = read_body(stream, &asked).await?;
    Ok(Some(asked))
}

async fn read_body(stream: &mut BufReader<TcpStream>, asked: &Asked) -> io::Result<Vec<u8>> {
    let first = |name: &str| asked.headers.get(name).and_then(|values| values.first());
    let mut body = Vec::new();
    if let Some(length) = first("content-length").and_then(|length| length.parse().ok()) {
        body.resize(length, 0);
        stream.read_exact(&mut body).await?;
    } else if first("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
        while read_chunk(stream, &mut body).await? > 0 {}
    }
    Ok(body)
}

async fn read_chunk(stream: &mut BufReader<TcpStream>, body: &mut Vec<u8>) -> io::Result<usize> {
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    let size = line.split(';').next().unwrap_or_default().trim();
    let size = usize::from_str_radix(size, 16).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let start = body.len();
    body.resize(start + size, 0);
    stream.read_exact(&mut body[start..]).await?;
    line.clear();
    stream.read_line(&mut line).await?;
    Ok(size)
}

impl Reply {
    /// A reply with these headers and this text, whatever it is.
    #[must_use]
    pub fn new(status: u16, headers: BTreeMap<String, String>, text: String) -> Self {
        Self { status, headers, body: None, sse: None, raw: Some(text) }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name));
        headers.next().map(|(_, value)| value.as_str())
    }

    /// The reply, or where none is left, one that no client takes for a success.
    fn or_none_left(reply: Option<Self>) -> Self {
        reply.unwrap_or_else(|| Self::new(418, BTreeMap::new(), "there are no more replies".to_owned()))
    }

    fn to_bytes(&self) -> Vec<u8> {
        let (kind, text) = match (&self.body, &self.sse, &self.raw) {
            (Some(body), _, _) => ("application/json", body.to_string()),
            (None, Some(sse), _) => ("text/event-stream", sse.clone()),
            (None, None, raw) => ("text/html", raw.clone().unwrap_or_default()),
        };
        let mut head = format!("HTTP/1.1 {} Scripted\r\n", self.status);
        for (name, value) in [("content-length", text.len().to_string().as_str()), ("content-type", kind)] {
            if self.header(name).is_none() {
                head += &format!("{name}: {value}\r\n");
            }
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        (head + "\r\n" + &text).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    async fn exchange(stream: &mut TcpStream, request: &str) -> String {
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut bytes = vec![0; 4096];
        let read = stream.read(&mut bytes).await.expect("received");
        String::from_utf8_lossy(&bytes[..read]).into_owned()
    }

    #[tokio::test]
    async fn it_says_what_it_was_told_and_keeps_what_it_was_asked() {
        let server = Server::start().await.expect("started");
        let replies =
            json!([{"status": 200, "body": {"a": 1}, "headers": {"x-id": "7"}}, {"status": 503, "raw": "busy"}]);
        server.will_say(&serde_json::from_value::<Vec<Reply>>(replies).expect("replies"));
        let address = server.url.strip_prefix("http://").expect("an address");
        let mut stream = TcpStream::connect(address).await.expect("connected");

        let first = exchange(&mut stream, "POST /a?b=c HTTP/1.1\r\nX-Key: 1\r\ncontent-length: 2\r\n\r\n{}").await;
        assert!(
            first.starts_with("HTTP/1.1 200") && first.contains("x-id: 7") && first.ends_with("\r\n\r\n{\"a\":1}"),
            "{first}"
        );
        let chunked = "POST /d HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        let second = exchange(&mut stream, chunked).await;
        assert!(second.starts_with("HTTP/1.1 503") && second.ends_with("busy"), "{second}");
        let third = exchange(&mut stream, "GET /e HTTP/1.1\r\n\r\n").await;
        assert!(third.starts_with("HTTP/1.1 418"), "{third}");

        let asked = server.was_asked();
        let seen: Vec<_> =
            asked.iter().map(|asked| (asked.method.as_str(), asked.path.as_str(), asked.body.as_slice())).collect();
        assert_eq!(seen, [("POST", "/a?b=c", b"{}".as_slice()), ("POST", "/d", b"abcde"), ("GET", "/e", b"")]);
        assert_eq!(asked[0].headers["x-key"], ["1"]);
        assert!(server.was_asked().is_empty());
    }
}
