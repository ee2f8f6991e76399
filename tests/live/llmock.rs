//! The server: where it is, its life, and what it is told and asked besides chatting.

use std::env;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The environment variable that says where the server's executable is.
const VARIABLE: &str = "TOOLWRIGHT_LLMOCK";
/// Where the gate installs it.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers/bin/llmock");
/// How long starting may take.
const START: Duration = Duration::from_secs(60);

/// A running server.
#[derive(Clone)]
pub(crate) struct Llmock {
    /// Where it is, with no path.
    pub(crate) url: String,
    http: reqwest::Client,
}

/// Ends the server when the tests end, however they do.
pub(crate) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // Where it has ended by itself, there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Llmock {
    pub(crate) const NEEDED: &str = "`llmock` 0.2.2 from PyPI: on the PATH, or where TOOLWRIGHT_LLMOCK says";

    /// Where the server is installed, if it is.
    pub(crate) fn executable() -> Option<PathBuf> {
        if let Some(named) = env::var_os(VARIABLE) {
            return Some(named.into());
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let on_path = env::split_paths(&path).map(|folder| folder.join("llmock"));
        on_path.chain([INSTALLED.into()]).find(|file| file.is_file())
    }

    /// Starts it and waits until it answers.
    pub(crate) fn start(executable: &Path) -> (Self, Process) {
        let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
        let address = free.expect("a free port on loopback");
        let server = Command::new(executable)
            .args(["serve", "--host", "127.0.0.1", "--log-level", "error", "--port", &address.port().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn();
        let mut process = Process(server.unwrap_or_else(|error| unreachable!("{}: {error}", executable.display())));
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            let ended = process.0.try_wait().expect("the state of a child");
            assert!(ended.is_none() && begun.elapsed() < START, "{} does not start: {ended:?}", executable.display());
            sleep(Duration::from_millis(50));
        }
        (Self { url: format!("http://{address}"), http: reqwest::Client::new() }, process)
    }

    /// Forgets requests and faults.
    pub(crate) async fn reset(&self) {
        self.ask(self.http.post(format!("{}/_llmock/reset", self.url))).await;
    }

    /// Says what is to go wrong, or to be answered, next.
    pub(crate) async fn will(&self, behaviors: Value) {
        let body = json!({"behaviors": behaviors}).to_string();
        self.ask(self.http.post(format!("{}/_llmock/scenario", self.url)).body(body)).await;
    }

    /// The status of every request so far.
    pub(crate) async fn statuses(&self) -> Vec<u64> {
        let requests = self.ask(self.http.get(format!("{}/_llmock/requests", self.url))).await;
        let requests = requests["requests"].as_array().expect("requests");
        requests.iter().map(|request| request["status"].as_u64().expect("a status")).collect()
    }

    /// Whether the server finds nothing to say against its client, and everything it was told has come to pass.
    pub(crate) async fn assert_content(&self) {
        let verdict = self.ask(self.http.get(format!("{}/_llmock/verdict", self.url))).await;
        assert_eq!(verdict["findings"], json!([]), "{verdict}");
        assert_ne!(verdict["attempts"], 0);
    }

    async fn ask(&self, request: reqwest::RequestBuilder) -> Value {
        let response = request.send().await.expect("an answer of the server");
        let status = response.status();
        let text = response.text().await.expect("a whole answer");
        assert!(status.is_success(), "{status}: {text}");
        serde_json::from_str(&text).expect("JSON")
    }
}
