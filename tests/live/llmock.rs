//! The server that picks tools, breaks on request and judges: where it is, and what it is told and asked besides chatting.

use std::env;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::server::{Process, Server, Servers, ask, find};

/// The environment variable that says where the server's executable is.
const VARIABLE: &str = "TOOLWRIGHT_LLMOCK";
/// Where the gate installs it.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers/bin/llmock");

/// A running server.
#[derive(Clone)]
pub(crate) struct Llmock {
    /// Where it is, with no path.
    pub(crate) url: String,
    http: reqwest::Client,
}

impl Server for Llmock {
    const NEEDED: &'static str = "`llmock` 0.2.2 from PyPI: on the PATH, or where TOOLWRIGHT_LLMOCK says";

    fn of(servers: &Servers) -> Option<&Self> {
        servers.llmock.as_ref()
    }

    async fn reset(&self) {
        ask(self.http.post(format!("{}/_llmock/reset", self.url))).await;
    }
}

impl Llmock {
    /// Where the server is installed, if it is.
    pub(crate) fn executable() -> Option<PathBuf> {
        let path = env::var_os("PATH").unwrap_or_default();
        let on_path = env::split_paths(&path).map(|folder| folder.join("llmock"));
        find(VARIABLE, on_path.chain([INSTALLED.into()]))
    }

    /// Starts it and waits until it answers.
    pub(crate) fn start(executable: &Path) -> (Self, Process) {
        let (url, process) = Process::start(executable, |server, port| {
            server.args(["serve", "--host", "127.0.0.1", "--log-level", "error", "--port", &port]);
        });
        (Self { url, http: reqwest::Client::new() }, process)
    }

    /// Says what is to go wrong, or to be answered, next.
    pub(crate) async fn will(&self, behaviors: Value) {
        let body = json!({"behaviors": behaviors}).to_string();
        ask(self.http.post(format!("{}/_llmock/scenario", self.url)).body(body)).await;
    }

    /// The status of every request so far.
    pub(crate) async fn statuses(&self) -> Vec<u64> {
        let requests = ask(self.http.get(format!("{}/_llmock/requests", self.url))).await;
        let requests = requests["requests"].as_array().expect("requests");
        requests.iter().map(|request| request["status"].as_u64().expect("a status")).collect()
    }

    /// Whether the server finds nothing to say against its client, and everything it was told has come to pass.
    pub(crate) async fn assert_content(&self) {
        let verdict = ask(self.http.get(format!("{}/_llmock/verdict", self.url))).await;
        assert_eq!(verdict["findings"], json!([]), "{verdict}");
        assert_ne!(verdict["attempts"], 0);
    }
}
