//! MCP servers that say anything at all: a run ends, and nothing panics.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolwright::Agent;
use toolwright::mcp::McpToolset;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright_tests::mcp::pipe;

use crate::stored::any_json;

/// An object that may have these keys.
fn any_of(keys: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let fields = prop::collection::vec((prop::sample::select(keys), any_json()), 0..5);
    fields.prop_map(|fields| Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
}

fn any_tool() -> impl Strategy<Value = Value> {
    let said = any_of(&["title", "description", "inputSchema", "outputSchema", "annotations", "_meta"]);
    (prop_oneof![".{0,140}".prop_map(Value::from), any_json()], said).prop_map(|(name, mut tool)| {
        tool["name"] = name;
        tool
    })
}

fn any_block() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["text", "image", "audio", "resource", "resource_link", "hologram"]);
    (kind, any_of(&["text", "data", "mimeType", "resource", "uri", "name", "_meta"])).prop_map(|(kind, mut block)| {
        block["type"] = kind.into();
        block
    })
}

fn any_result() -> impl Strategy<Value = Value> {
    let result = any_of(&["structuredContent", "isError", "_meta", "content", "tools", "task", "resultType"]);
    let blocks = prop::option::of(prop::collection::vec(any_block(), 0..4));
    let result = (result, blocks).prop_map(|(mut result, blocks)| {
        if let Some(blocks) = blocks {
            result["content"] = blocks.into();
        }
        result
    });
    prop_oneof![3 => result, 1 => any_json()]
}

/// A model that calls the first tool that it has, once.
fn caller() -> FunctionModel {
    FunctionModel::new(|input: &ModelInput| match (input.history.len(), input.function_tools.first()) {
        (1, Some(tool)) => ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new(tool.name(), json!({})))]),
        _ => ModelResponse::text("done"),
    })
}

/// What a run comes to at a server that says these things.
async fn run(noise: Vec<String>, tools: Vec<Value>, result: Value) -> Result<(), String> {
    let (client, mut peer) = pipe();
    tokio::spawn(async move {
        peer.shake_hands().await;
        while let Some(message) = peer.hear().await {
            for line in &noise {
                peer.say(line).await;
            }
            match message["method"].as_str() {
                Some("tools/list") => peer.answer(&message, json!({"tools": tools})).await,
                Some("tools/call") => peer.answer(&message, result.clone()).await,
                _ => {}
            }
        }
    });
    let toolset = McpToolset::pipe(client).with_connect_timeout(Duration::from_secs(5));
    let agent = Agent::<()>::builder(caller()).toolset(toolset.with_call_timeout(Duration::from_secs(5)));
    let ended = agent.build().expect("an agent").run("Go.").await;
    ended.map(drop).map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_run_ends_whatever_a_server_says(
        noise in prop::collection::vec(prop_oneof!["[^\n]{0,40}", any_json().prop_map(|json| json.to_string())], 0..3),
        tools in prop::collection::vec(any_tool(), 0..4),
        result in any_result(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let ended = runtime.block_on(async { tokio::time::timeout(Duration::from_secs(20), run(noise, tools, result)).await });
        let ended = ended.expect("it ends");
        prop_assert!(ended.as_ref().err().is_none_or(|error| !error.contains("panicked")), "{ended:?}");
    }
}
