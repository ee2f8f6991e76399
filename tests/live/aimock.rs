//! The server that streams what it is told to, in the words of each provider: where it is, and what it is told.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::server::{Process, Server, Servers, ask, find};

/// The environment variable that says where the server's executable is.
const VARIABLE: &str = "TOOLWRIGHT_AIMOCK";
/// Where the gate installs it.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers-node/node_modules/.bin/llmock");
/// What the server has to say when it starts, as it starts strictly only with something. It is forgotten before each test.
const FIRST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/live/aimock.json");

/// A running server.
#[derive(Clone)]
pub(crate) struct Aimock {
    /// Where it is, with no path.
    pub(crate) url: String,
    http: reqwest::Client,
}

impl Server for Aimock {
    const NEEDED: &'static str = "`@copilotkit/aimock` 1.43.0 from npm, its `llmock` where TOOLWRIGHT_AIMOCK says";

    fn of(servers: &Servers) -> Option<&Self> {
        servers.aimock.as_ref()
    }

    async fn reset(&self) {
        ask(self.http.post(format!("{}/__aimock/reset", self.url))).await;
    }
}

impl Aimock {
    /// Where the server is installed, if it is.
    pub(crate) fn executable() -> Option<PathBuf> {
        find(VARIABLE, [INSTALLED.into()].into_iter())
    }

    /// Starts it and waits until it answers. What nobody told it how to answer, it refuses.
    pub(crate) fn start(executable: &Path) -> (Self, Process) {
        let (url, process) = Process::start(executable, |server, port| {
            // It has more to say to those who develop it than to us.
            server.env("NODE_NO_WARNINGS", "1");
            server.args(["--strict", "--fixtures", FIRST, "--log-level", "silent", "--port", &port]);
        });
        (Self { url, http: reqwest::Client::new() }, process)
    }

    /// Says how it answers: of these, the first that matches a request.
    pub(crate) async fn will(&self, fixtures: Value) {
        let body = json!({"fixtures": fixtures}).to_string();
        ask(self.http.post(format!("{}/__aimock/fixtures", self.url)).body(body)).await;
    }

    /// The headers of requests for which it counts by themselves how often it answered.
    pub(crate) fn scope(name: &str) -> Vec<(String, String)> {
        vec![("x-test-id".to_owned(), name.to_owned())]
    }

    /// The status of every request with the headers of this name.
    pub(crate) async fn statuses(&self, name: &str) -> Vec<u64> {
        let requests = ask(self.http.get(format!("{}/__aimock/journal?testId={name}", self.url))).await;
        let requests = requests.as_array().expect("requests");
        requests.iter().map(|request| request["response"]["status"].as_u64().expect("a status")).collect()
    }
}
