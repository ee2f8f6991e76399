//! MCP servers that nobody here wrote: each test starts its own.

mod calls;
pub(crate) mod conformance;
mod deaths;
mod http;

use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use toolwright::mcp::{McpCommand, McpToolset};
use toolwright::message::{Message, ModelResponse, RequestPart, ResponsePart, ToolCallPart, ToolReturnPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, History};

pub(crate) use self::calls::{asks, everything, files, grows, memory, runs_without_a_runtime, time};
pub(crate) use self::deaths::{everything_dies, files_die, memory_dies, time_dies};
pub(crate) use self::http::{http_calls, http_dies, http_session_lost};
use crate::server::{Server, Servers, find};

/// Where the gate installs servers.
const NODE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers-node/node_modules/.bin");
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers/bin");

/// The servers from npm.
#[derive(Clone)]
pub(crate) struct McpServers {
    everything: PathBuf,
    files: PathBuf,
    memory: PathBuf,
}

impl Server for McpServers {
    const NEEDED: &'static str = "`@modelcontextprotocol/server-everything`, `server-filesystem` and `server-memory` 2026.8.31 from \
                                  npm, in the directory that TOOLWRIGHT_MCP_SERVERS names";

    fn of(servers: &Servers) -> Option<&Self> {
        servers.mcp.as_ref()
    }

    async fn reset(&self) {}
}

impl McpServers {
    /// Where the servers are installed, if all of them are.
    pub(crate) fn find() -> Option<Self> {
        let bin = std::env::var_os("TOOLWRIGHT_MCP_SERVERS").map_or_else(|| PathBuf::from(NODE), PathBuf::from);
        let server = |name: &str| Some(bin.join(name)).filter(|file| file.is_file());
        Some(Self {
            everything: server("mcp-server-everything")?,
            files: server("mcp-server-filesystem")?,
            memory: server("mcp-server-memory")?,
        })
    }
}

/// The server that knows what time it is, where it is installed.
pub(crate) fn time_server() -> Option<PathBuf> {
    find("TOOLWRIGHT_MCP_TIME", [Path::new(PYTHON).join("mcp-server-time")].into_iter())
}

/// A directory of the test's own, empty.
fn directory() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("toolwright-mcp-{}-{number}", process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory");
    path
}

/// A server that writes its process's id into a file before it starts.
fn with_pid(program: &Path, pid: &Path) -> McpCommand {
    let script = "echo $$ > \"$1\"; shift; exec \"$@\"";
    McpCommand::new("sh").args(["-c", script, "sh"]).arg(pid).arg(program)
}

/// A model that makes these calls one after the other, and then is done.
fn caller(calls: Vec<(&'static str, Value)>) -> FunctionModel {
    let next = AtomicUsize::new(0);
    FunctionModel::new(move |_: &ModelInput| match calls.get(next.fetch_add(1, Ordering::Relaxed)) {
        Some((name, args)) => ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new(*name, args.clone()))]),
        None => ModelResponse::text("done"),
    })
}

/// What these calls come to, one after the other, in one run.
async fn answers(toolset: McpToolset<()>, calls: Vec<(&'static str, Value)>) -> Vec<ToolReturnPart> {
    let agent = Agent::<()>::builder(caller(calls)).toolset(toolset).build().expect("an agent");
    returns(agent.run("Go.").await.expect("a run").history())
}

fn returns(history: &History) -> Vec<ToolReturnPart> {
    let requests = history.iter().filter_map(|message| match message {
        Message::Request(request) => Some(request.parts.clone()),
        _ => None,
    });
    let returns = requests.flatten().filter_map(|part| match part {
        RequestPart::ToolReturn(part) => Some(part),
        _ => None,
    });
    returns.collect()
}

/// A result as the model reads it.
fn said(part: &ToolReturnPart) -> String {
    let json = part.content.to_json();
    json.as_str().unwrap_or_else(|| json.text().to_owned())
}
