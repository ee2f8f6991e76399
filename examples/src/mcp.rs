//! An MCP server in the example's own process.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

/// A pipe to a server that has what `tools` gives, and answers calls with the text that `answer` makes of a tool's name and its
/// arguments. After each call it says that its tools may have changed.
pub fn server<T, A>(tools: T, answer: A) -> DuplexStream
where
    T: Fn() -> Value + Send + 'static,
    A: FnMut(&str, &Value) -> String + Send + 'static,
{
    let (client, server) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        // A pipe that breaks has nobody at its other end any more.
        let _ = serve(server, tools, answer).await;
    });
    client
}

async fn serve(
    pipe: DuplexStream,
    tools: impl Fn() -> Value,
    mut answer: impl FnMut(&str, &Value) -> String,
) -> std::io::Result<()> {
    let (reader, mut writer) = tokio::io::split(pipe);
    let mut lines = BufReader::new(reader).lines();
    while let Some(line) = lines.next_line().await? {
        let request: Value = serde_json::from_str(&line)?;
        let params = &request["params"];
        let (result, changed) = match request["method"].as_str() {
            Some("initialize") => {
                let about = json!({"name": "example", "version": "1"});
                let can = json!({"tools": {"listChanged": true}});
                (json!({"protocolVersion": params["protocolVersion"], "capabilities": can, "serverInfo": about}), false)
            }
            Some("tools/list") => (json!({"tools": tools()}), false),
            Some("tools/call") => {
                let text = answer(params["name"].as_str().unwrap_or_default(), &params["arguments"]);
                (json!({"content": [{"type": "text", "text": text}]}), true)
            }
            _ => continue,
        };
        if changed {
            let news = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
            writer.write_all(format!("{news}\n").as_bytes()).await?;
        }
        let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
        writer.write_all(format!("{answer}\n").as_bytes()).await?;
    }
    Ok(())
}
