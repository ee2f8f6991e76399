//! The server that looks at signatures and bodies of requests to Bedrock: where it is.

use std::path::{Path, PathBuf};

use crate::server::{Process, Server, Servers, find};

/// The environment variable that says where the server's executable is.
const VARIABLE: &str = "TOOLWRIGHT_KATAN";
/// Where the gate installs it.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers/bin/llm-katan");

/// A running server.
#[derive(Clone)]
pub(crate) struct Katan {
    /// Where it is, with no path.
    pub(crate) url: String,
}

impl Server for Katan {
    const NEEDED: &'static str = "`llm-katan` 0.22.0 from PyPI, where TOOLWRIGHT_KATAN says";

    fn of(servers: &Servers) -> Option<&Self> {
        servers.katan.as_ref()
    }

    /// It remembers nothing.
    async fn reset(&self) {}
}

impl Katan {
    /// Where the server is installed, if it is.
    pub(crate) fn executable() -> Option<PathBuf> {
        find(VARIABLE, [INSTALLED.into()].into_iter())
    }

    /// Starts it and waits until it answers.
    pub(crate) fn start(executable: &Path) -> (Self, Process) {
        let (url, process) = Process::start(executable, |server, port| {
            server.args(["--model", "echo", "--backend", "echo", "--providers", "bedrock", "--log-level", "error"]);
            server.args(["--host", "127.0.0.1", "--port", &port]);
        });
        (Self { url }, process)
    }
}
