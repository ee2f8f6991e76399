//! A receiver of traces, in place of a real one: it takes spans as OTLP sends them, as JSON over HTTP, and prints them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;

use serde_json::Value;

/// A receiver of traces on this machine.
pub struct Receiver {
    address: SocketAddr,
    spans: mpsc::Receiver<Value>,
}

impl Receiver {
    /// Listens on a free port, for as long as the program runs.
    ///
    /// # Errors
    ///
    /// When there is no port to be had.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let (sender, spans) = mpsc::channel();
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let sender = sender.clone();
                thread::spawn(move || serve(&connection, &sender));
            }
        });
        Ok(Self { address, spans })
    }

    /// Where spans are sent to.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://{}/v1/traces", self.address)
    }

    /// Prints the spans that have come so far, each under its parent, in the order in which they began.
    pub fn print(&self) {
        let mut spans: Vec<Value> = self.spans.try_iter().collect();
        spans.sort_by_key(|span| text(&span["startTimeUnixNano"]).parse::<u64>().unwrap_or_default());
        print_children(&spans, "", 0);
    }
}

/// Takes the requests of a connection, one after the other.
fn serve(connection: &TcpStream, spans: &mpsc::Sender<Value>) {
    let mut reader = BufReader::new(connection);
    while let Ok(Some(body)) = read_body(&mut reader) {
        let sent: Value = serde_json::from_slice(&body).unwrap_or_default();
        let scopes = items(&sent["resourceSpans"]).flat_map(|resource| items(&resource["scopeSpans"]));
        for span in scopes.flat_map(|scope| items(&scope["spans"])) {
            // Nobody to take it is no reason to stop.
            let _ = spans.send(span.clone());
        }
        let response = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
        let mut connection = connection;
        if connection.write_all(response).is_err() {
            return;
        }
    }
}

/// The body of the next request; none when the connection has ended.
fn read_body(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;
    Ok(Some(body))
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn print_children(spans: &[Value], parent: &str, depth: usize) {
    for span in spans.iter().filter(|span| text(&span["parentSpanId"]) == parent) {
        println!("{}{}", "  ".repeat(depth), text(&span["name"]));
        for attribute in items(&span["attributes"]).filter(|attribute| is_worth_printing(text(&attribute["key"]))) {
            let value = attribute["value"].as_object().and_then(|value| value.values().next());
            let value = value.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            println!("{}- {}: {}", "  ".repeat(depth + 2), text(&attribute["key"]), value.unwrap_or_default());
        }
        print_children(spans, text(&span["spanId"]), depth + 1);
    }
}

/// The attributes that are the same in every run, and not the same in every span.
fn is_worth_printing(key: &str) -> bool {
    ["gen_ai.usage.", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result", "error.", "toolwright."]
        .iter()
        .any(|prefix| key.starts_with(prefix))
}
