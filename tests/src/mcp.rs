//! The other end of an MCP connection, line by line: so that it can misbehave.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};

/// The server's end of a pipe.
pub struct McpPeer {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    /// All messages that came, in order.
    heard: Arc<Mutex<Vec<Value>>>,
}

/// A pipe: the client's end, and the server's.
#[must_use]
pub fn pipe() -> (DuplexStream, McpPeer) {
    let (client, server) = duplex(1 << 16);
    let (reader, writer) = split(server);
    (client, McpPeer { reader: BufReader::new(reader), writer, heard: Arc::default() })
}

/// A pipe to a server that has these tools, and answers calls with what `answer` makes of the tool's name and the arguments.
pub fn server(tools: Value, answer: impl FnMut(&str, &Value) -> Value + Send + 'static) -> DuplexStream {
    let (client, mut peer) = pipe();
    tokio::spawn(async move { peer.serve(&tools, answer).await });
    client
}

/// A tool as servers list it.
#[must_use]
pub fn tool(name: &str) -> Value {
    json!({"name": name, "description": format!("Does {name}."), "inputSchema": {"type": "object"}})
}

/// A result that is a text.
#[must_use]
pub fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

impl McpPeer {
    /// What has been heard so far: shared with the peer.
    #[must_use]
    pub fn heard(&self) -> Arc<Mutex<Vec<Value>>> {
        self.heard.clone()
    }

    /// The next message; none once the client is gone.
    pub async fn hear(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.reader.read_line(&mut line).await {
            Ok(1..) => {
                let message: Value = serde_json::from_str(&line).expect("a message is JSON");
                self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(message.clone());
                Some(message)
            }
            _ => None,
        }
    }

    /// The next request for this method. What else comes is passed over.
    pub async fn hear_request(&mut self, method: &str) -> Option<Value> {
        loop {
            let message = self.hear().await?;
            if message["method"] == method {
                return Some(message);
            }
        }
    }

    /// Says a line as it is. That nobody listens any more is found by hearing nothing.
    pub async fn say(&mut self, line: &str) {
        let _ = self.writer.write_all(format!("{line}\n").as_bytes()).await;
    }

    /// Answers a request.
    pub async fn answer(&mut self, request: &Value, result: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}).to_string()).await;
    }

    /// Answers a request with an error.
    pub async fn refuse(&mut self, request: &Value, code: i64, message: &str) {
        let error = json!({"code": code, "message": message});
        self.say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error}).to_string()).await;
    }

    /// Tells something.
    pub async fn notify(&mut self, method: &str, params: Value) {
        self.say(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()).await;
    }

    /// Asks for something, and gives the answer.
    pub async fn ask(&mut self, id: u64, method: &str, params: Value) -> Option<Value> {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()).await;
        loop {
            let message = self.hear().await?;
            if message["id"] == id && message.get("method").is_none() {
                return Some(message);
            }
        }
    }

    /// Shakes hands.
    pub async fn shake_hands(&mut self) {
        self.shake_hands_as(json!({"capabilities": {"tools": {"listChanged": true}}})).await;
    }

    /// Shakes hands, and says this of itself.
    pub async fn shake_hands_as(&mut self, mut about: Value) {
        let Some(request) = self.hear_request("initialize").await else { return };
        for (key, value) in [
            ("protocolVersion", request["params"]["protocolVersion"].clone()),
            ("serverInfo", json!({"name": "peer", "version": "1"})),
            ("capabilities", json!({"tools": {}})),
        ] {
            if about.get(key).is_none() {
                about[key] = value;
            }
        }
        self.answer(&request, about).await;
        self.hear_request("notifications/initialized").await;
    }

    /// Lists tools when it is next asked to.
    pub async fn list(&mut self, tools: &Value) {
        if let Some(request) = self.hear_request("tools/list").await {
            self.answer(&request, json!({"tools": tools})).await;
        }
    }

    /// Shakes hands, and does from then on what servers do, until the client is gone.
    pub async fn serve(&mut self, tools: &Value, mut answer: impl FnMut(&str, &Value) -> Value) {
        self.shake_hands().await;
        while let Some(message) = self.hear().await {
            match message["method"].as_str() {
                Some("tools/list") => self.answer(&message, json!({"tools": tools})).await,
                Some("tools/call") => {
                    let params = &message["params"];
                    let result = answer(params["name"].as_str().unwrap_or_default(), &params["arguments"]);
                    self.answer(&message, result).await;
                }
                _ => {}
            }
        }
    }
}
