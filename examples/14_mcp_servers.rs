//! Tools of two MCP servers: one keeps notes, the other tells the time. Both are in this process here; a program or a URL is a
//! line: `McpToolset::stdio(McpCommand::new("mcp-server-time"))`, `McpToolset::http("http://localhost:8000/mcp")`.
//!
//! The model sees what the servers say of their tools, under prefixes; a hook keeps away what is not only reading, by the servers'
//! own annotations; and a tool that a server adds joins the run. Each step's report says which tools there were and where they came
//! from.
//!
//!     cargo run -p toolwright-examples --example 14_mcp_servers

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use toolwright::mcp::McpToolset;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, StepReport, ToolDefinition, ToolsetExt};
use toolwright_examples::mcp::server;
use toolwright_examples::silent_model_or;

fn tool(name: &str, description: &str, reads_only: bool) -> Value {
    json!({
        "name": name, "description": description, "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": reads_only},
    })
}

/// Keeps notes. Searching them is there once they have been opened.
fn notes() -> McpToolset<()> {
    let is_open = Arc::new(AtomicBool::new(false));
    let opened = is_open.clone();
    let tools = move || {
        let mut tools = vec![tool("open", "Open the notes.", true), tool("delete", "Delete all notes.", false)];
        if is_open.load(Ordering::Relaxed) {
            tools.push(tool("search", "Search the notes.", true));
        }
        Value::from(tools)
    };
    let answer = move |name: &str, _: &Value| {
        opened.store(true, Ordering::Relaxed);
        if name == "search" { "tea at five".to_owned() } else { "the notes are open".to_owned() }
    };
    McpToolset::pipe(server(tools, answer)).with_id("notes")
}

/// Tells the time.
fn clock() -> McpToolset<()> {
    let tools = || json!([tool("now", "Tell the time.", true)]);
    McpToolset::pipe(server(tools, |_, _| "half past four".to_owned())).with_id("clock")
}

fn only_reads(tool: &ToolDefinition) -> bool {
    tool.metadata().is_some_and(|metadata| metadata["annotations"]["readOnlyHint"] == true)
}

/// A model that opens the notes, searches them, and looks at the clock.
fn offline() -> FunctionModel {
    FunctionModel::new(|input: &ModelInput| {
        let name = match input.history.len() {
            1 => "notes_open",
            3 => "notes_search",
            5 => "clock_now",
            _ => return ModelResponse::text("Tea is in half an hour."),
        };
        ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new(name, json!({})))])
    })
}

fn print(report: &StepReport) {
    println!("{report}");
    for tool in report.function_tools.iter() {
        let server = tool.toolset_id().unwrap_or("the agent");
        println!("    {} comes from `{server}`: {}", tool.name(), tool.description().unwrap_or_default());
    }
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let agent = Agent::<()>::builder(silent_model_or(offline())?)
        .toolset(notes().filtered(|_, tool| only_reads(tool)).prefixed("notes"))
        .toolset(clock().prefixed("clock"))
        .build()?;
    let result = agent.run("When is tea?").await?;
    result.steps().iter().for_each(print);
    println!("output: {}", result.output());
    Ok(())
}
