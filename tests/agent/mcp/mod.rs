//! Tools of MCP servers, over servers that are played here.

mod asks;
mod connections;
mod faults;
mod hooks;
mod http;
mod mapping;

use serde_json::Value;
use toolwright::mcp::McpToolset;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart, ToolReturnPart};
use toolwright::{Agent, RunResult, Toolset};

use crate::support::{done, returns, script};

/// A response that makes one call.
fn call(name: &str, args: Value) -> ModelResponse {
    ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new(name, args).with_id("1"))])
}

/// A run in which the model calls a tool, and then is done.
async fn run(toolset: impl Toolset<()>, name: &str, args: Value) -> RunResult<String> {
    let agent = Agent::<()>::builder(script(vec![call(name, args), done()])).toolset(toolset).build().expect("agent");
    agent.run("Go.").await.expect("run")
}

/// What the only call of such a run was answered.
async fn answer(toolset: McpToolset<()>, name: &str, args: Value) -> ToolReturnPart {
    let mut parts = returns(run(toolset, name, args).await.history());
    assert_eq!(parts.len(), 1, "{parts:?}");
    parts.remove(0)
}
