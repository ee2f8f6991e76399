//! Servers over HTTP that misbehave.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use toolwright::mcp::{McpHttp, McpLimits, McpToolset, ToolErrorBehavior};
use toolwright::message::{Outcome, ToolReturnPart};
use toolwright::{RunContext, Toolset};
use toolwright_tests::mcp::{text, tool};

use super::answer;
use crate::support::said;

/// A request: its headers, and its body, which is null where there is none.
#[derive(Clone)]
struct Asked {
    head: String,
    body: Value,
}

/// A reply: its status with the headers, and its body. None leaves the client waiting.
type Reply = Option<(String, String)>;

fn reply(status: &str, headers: &str, body: impl Into<String>) -> Reply {
    Some((format!("{status}\r\n{headers}"), body.into()))
}

fn json_reply(body: &Value) -> Reply {
    reply("200 OK", "content-type: application/json\r\nmcp-session-id: s\r\n", body.to_string())
}

/// What a well-behaved server replies to anything but a call.
fn well_behaved(asked: &Asked) -> Reply {
    let result = match asked.body["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "peer", "version": "1"},
        }),
        Some("tools/list") => json!({"tools": [tool("t")]}),
        Some(_) => return reply("202 Accepted", "", ""),
        None => return reply("405 Method Not Allowed", "", ""),
    };
    json_reply(&json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": result}))
}

/// A server that replies to calls with what `call` says to their number; its URL, and what it was asked.
async fn server(call: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static) -> (String, Arc<Mutex<Vec<Asked>>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    let all: Arc<Mutex<Vec<Asked>>> = Arc::default();
    let (call, calls, asked) = (Arc::new(call), Arc::new(Mutex::new(0)), all.clone());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (call, calls, asked) = (call.clone(), calls.clone(), asked.clone());
            tokio::spawn(async move {
                let (request, mut stream) = read(stream).await;
                asked.lock().expect("a lock").push(request.clone());
                let reply = if request.body["method"] == "tools/call" {
                    let number = {
                        let mut calls = calls.lock().expect("a lock");
                        *calls += 1;
                        *calls
                    };
                    call(number, &request)
                } else {
                    well_behaved(&request)
                };
                match reply {
                    Some((head, body)) => {
                        let head =
                            format!("HTTP/1.1 {head}content-length: {}\r\nconnection: close\r\n\r\n", body.len());
                        // A client that has heard enough closes the connection.
                        let _ = stream.write_all(head.as_bytes()).await;
                        let _ = stream.write_all(body.as_bytes()).await;
                    }
                    None => std::future::pending().await,
                }
            });
        }
    });
    (url, all)
}

async fn read(stream: TcpStream) -> (Asked, TcpStream) {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).await.expect("a line") <= 2 {
            break;
        }
        let line = line.to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a number");
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await.expect("a body");
    (Asked { head, body: serde_json::from_slice(&body).unwrap_or_default() }, reader.into_inner())
}

fn toolset(url: String) -> McpToolset<()> {
    McpToolset::http(url)
        .with_call_timeout(Duration::from_millis(500))
        .with_tool_error_behavior(ToolErrorBehavior::Fail)
        .with_limits(McpLimits::new().message_bytes(10_000))
}

/// What a call comes to at a server that replies so.
async fn called(call: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static) -> ToolReturnPart {
    answer(toolset(server(call).await.0), "t", json!({})).await
}

fn result(asked: &Asked, words: &str) -> Reply {
    json_reply(&json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": text(words)}))
}

#[tokio::test]
async fn calls_that_get_no_answer_have_failed() {
    let html = || reply("500 Internal Server Error", "content-type: text/html\r\n", "<h1>Oops</h1>");
    let long = |asked: &Asked| result(asked, &"x".repeat(20_000));
    let event = |asked: &Asked| {
        let (_, body) = result(asked, &"x".repeat(20_000)).expect("a reply");
        reply("200 OK", "content-type: text/event-stream\r\n", format!("data: {body}\n\n"))
    };
    for (part, words) in [
        (called(|_, _| None).await, "too slow"),
        (called(move |_, _| html()).await, "HTTP 500"),
        (called(move |_, asked| long(asked)).await, "maximum size of 10000 bytes"),
        (called(move |_, asked| event(asked)).await, ""),
        (called(|_, _| reply("200 OK", "content-type: application/json\r\n", "{")).await, ""),
        (called(|_, _| reply("200 OK", "content-type: text/plain\r\n", "hi")).await, ""),
        (called(|_, _| reply("401 Unauthorized", "www-authenticate: Bearer\r\n", "")).await, ""),
        (called(|_, _| reply("202 Accepted", "", "")).await, ""),
    ] {
        assert_eq!(part.outcome, Outcome::Failed, "{}", said(&part.content));
        assert!(said(&part.content).contains(words), "{}", said(&part.content));
    }
}

#[tokio::test]
async fn what_an_error_says_is_told() {
    let part = called(|_, asked| {
        let error =
            json!({"jsonrpc": "2.0", "id": asked.body["id"], "error": {"code": -32602, "message": "no such city"}});
        reply("400 Bad Request", "content-type: application/json\r\n", error.to_string())
    })
    .await;
    assert_eq!((part.outcome, said(&part.content).as_str()), (Outcome::Failed, "no such city"));
}

#[tokio::test]
async fn a_session_that_is_not_known_is_begun_anew_and_the_call_made_once() {
    let not_found = || reply("404 Not Found", "", "");
    let no_session = || {
        let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "No valid session"}});
        reply("400 Bad Request", "content-type: application/json\r\n", error.to_string())
    };
    for turned_away in [not_found, no_session] {
        let (url, asked) =
            server(move |number, asked| if number == 1 { turned_away() } else { result(asked, "there") }).await;
        assert_eq!(said(&answer(toolset(url), "t", json!({})).await.content), "there");
        let asked = asked.lock().expect("a lock");
        let count = |method: &str| asked.iter().filter(|asked| asked.body["method"] == method).count();
        assert_eq!((count("initialize"), count("tools/call")), (2, 2));
    }
    let part = called(move |_, _| no_session()).await;
    assert!(
        said(&part.content).contains("has not run") && said(&part.content).contains("No valid session"),
        "{}",
        said(&part.content)
    );
}

#[tokio::test]
async fn an_error_that_may_come_after_the_tool_has_run_does_not_make_the_call_again() {
    let (url, asked) = server(|_, _| {
        let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32603, "message": "Internal error"}});
        reply("500 Internal Server Error", "content-type: application/json\r\n", error.to_string())
    })
    .await;
    let part = answer(toolset(url), "t", json!({})).await;
    let said = said(&part.content);
    assert!(said.contains("may or may not have run") && said.contains("Internal error"), "{said}");
    let calls = asked.lock().expect("a lock").iter().filter(|asked| asked.body["method"] == "tools/call").count();
    assert_eq!((part.outcome, calls), (Outcome::Failed, 1));
}

#[tokio::test]
async fn what_is_secret_is_not_repeated_when_the_server_does() {
    let (url, _) = server(|_, asked| {
        let message = "hunter2-token, hunter2%2Dquery, hunter2-query, /mcp/hunter2-path, hunter2-flag and words";
        let error = json!({"code": -32602, "message": message});
        json_reply(&json!({"jsonrpc": "2.0", "id": asked.body["id"], "error": error}))
    })
    .await;
    let http = McpHttp::new(format!("{url}/hunter2-path?key=hunter2%2Dquery&hunter2-flag"));
    let http = http.header("Authorization", "Bearer hunter2-token");
    assert!(!format!("{http:?}").contains("hunter2"), "{http:?}");
    let part = answer(McpToolset::http(http), "t", json!({})).await;
    let said = said(&part.content);
    assert_eq!(said, "[secret], [secret], [secret], [secret], [secret] and words");
}

#[tokio::test]
async fn headers_go_to_the_server_alone() {
    let (elsewhere, strangers) = server(|_, asked| result(asked, "there")).await;
    let (url, asked) = server(|_, asked| result(asked, "there")).await;
    let http = McpHttp::new(url).bearer("very-secret").header("x-team", "blue");
    assert_eq!(said(&answer(McpToolset::http(http.clone()), "t", json!({})).await.content), "there");
    for asked in asked.lock().expect("a lock").iter() {
        assert!(
            asked.head.contains("authorization: bearer very-secret") && asked.head.contains("x-team: blue"),
            "{}",
            asked.head
        );
    }
    assert!(!format!("{http:?}").contains("very-secret"));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (_, mut stream) = read(stream).await;
            let head = format!(
                "HTTP/1.1 307 Temporary Redirect\r\nlocation: {elsewhere}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.expect("it is read");
        }
    });
    let toolset = McpToolset::<()>::http(McpHttp::new(url).bearer("very-secret"));
    let error = toolset.tools(&RunContext::detached(())).await.expect_err("a redirect to elsewhere");
    assert!(error.to_string().contains("could not be connected to"), "{error}");
    assert!(strangers.lock().expect("a lock").is_empty());
}
