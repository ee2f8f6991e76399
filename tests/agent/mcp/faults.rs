//! Servers that hang, die, flood and lie: a call has failed, and the run goes on.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright::mcp::{McpCommand, McpHttp, McpLimits, McpToolset, ToolErrorBehavior};
use toolwright::message::{Outcome, ToolReturnPart};
use toolwright::{Error, ErrorKind, RunContext, Toolset};
use toolwright_tests::mcp::{McpPeer, pipe, text, tool};

use super::answer;
use crate::support::said;

/// What a call comes to at a server that does `misbehave` when it is called, and has not long to do it.
async fn called<F, Fut>(misbehave: F) -> ToolReturnPart
where
    F: FnOnce(McpPeer, Value) -> Fut + Send + 'static,
    Fut: Future<Output = ()> + Send,
{
    called_within(Duration::from_millis(300), misbehave).await
}

/// The same with a limit.
async fn called_within<F, Fut>(limit: Duration, misbehave: F) -> ToolReturnPart
where
    F: FnOnce(McpPeer, Value) -> Fut + Send + 'static,
    Fut: Future<Output = ()> + Send,
{
    let (client, mut peer) = pipe();
    tokio::spawn(async move {
        peer.shake_hands().await;
        peer.list(&json!([tool("t")])).await;
        if let Some(request) = peer.hear_request("tools/call").await {
            misbehave(peer, request).await;
        }
    });
    let toolset = McpToolset::pipe(client)
        .with_call_timeout(limit)
        .with_tool_error_behavior(ToolErrorBehavior::Fail)
        .with_limits(McpLimits::new().message_bytes(10_000));
    answer(toolset, "t", json!({})).await
}

fn is_failure(part: &ToolReturnPart, words: &str) {
    let said = said(&part.content);
    assert!(part.outcome == Outcome::Failed && said.contains(words), "{:?}: {said}", part.outcome);
}

#[tokio::test]
async fn a_server_that_hangs_is_given_up_and_told_so() {
    let (client, mut peer) = pipe();
    let server = tokio::spawn(async move {
        peer.shake_hands().await;
        peer.list(&json!([tool("t")])).await;
        let request = peer.hear_request("tools/call").await.expect("a call");
        let cancelled = peer.hear_request("notifications/cancelled").await.expect("it is told");
        assert_eq!(cancelled["params"]["requestId"], request["id"]);
    });
    let toolset = McpToolset::pipe(client).with_call_timeout(Duration::from_millis(300));
    let part = answer(toolset.clone(), "t", json!({})).await;
    is_failure(&part, "too slow (it has not answered within 0.3 seconds)");
    server.await.expect("it is told of that call");
}

#[tokio::test]
async fn a_server_that_dies_has_failed_the_call() {
    let part = called(|peer, _| async move { drop(peer) }).await;
    is_failure(&part, "may or may not have run: its server has given no result");
}

#[tokio::test]
async fn a_message_that_is_too_long_ends_the_connection() {
    let part = called(|mut peer, request| async move {
        peer.answer(&request, text(&"x".repeat(20_000))).await;
        peer.hear().await;
    })
    .await;
    is_failure(&part, "it sent a message of more than 10000 bytes");
}

#[tokio::test]
async fn a_line_that_never_ends_ends_the_connection() {
    let part = called(|mut peer, _| async move {
        peer.say(&"x".repeat(100_000)).await;
        peer.hear().await;
    })
    .await;
    is_failure(&part, "it sent a message of more than 10000 bytes");
}

#[tokio::test]
async fn answers_that_cannot_be_read_are_errors_at_once() {
    for (result, words) in [
        ("[".repeat(2000) + &"]".repeat(2000), "its answer cannot be read"),
        ("7".to_owned(), "its answer is no result of a tool"),
        (r#"{"tools":[]}"#.to_owned(), "its answer is no result of a tool"),
        (r#"{"content":"none"}"#.to_owned(), "its answer is no result of a tool"),
        (r#"{"task":{"taskId":"1","status":"working","createdAt":"x","lastUpdatedAt":"x","ttl":1}}"#.to_owned(), ""),
    ] {
        let part = called(move |mut peer, request| async move {
            peer.say(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request["id"])).await;
            peer.hear().await;
        })
        .await;
        is_failure(&part, words);
        assert!(!said(&part.content).contains("too slow"), "{}", said(&part.content));
    }
}

#[tokio::test]
async fn what_is_no_message_is_passed_over() {
    let part = called(|mut peer, request| async move {
        for noise in
            ["listening on stdio", "", "{}", "[1,2", "\u{0}", r#"{"jsonrpc":"2.0","method":"notifications/x"}"#]
        {
            peer.say(noise).await;
        }
        peer.answer(&json!({"id": 12345}), text("nobody asked")).await;
        peer.answer(&request, text("there")).await;
        peer.hear().await;
    })
    .await;
    assert_eq!((part.outcome, said(&part.content).as_str()), (Outcome::Success, "there"));
}

#[tokio::test]
async fn a_flood_of_requests_ends_the_connection() {
    let part = called_within(Duration::from_secs(30), |mut peer, _| async move {
        // Nobody reads the answers, so they stay open.
        for id in 0..5000 {
            peer.say(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string()).await;
        }
        std::future::pending().await
    })
    .await;
    is_failure(&part, "it asked for more than 32 things at once");
}

#[tokio::test]
async fn a_flood_of_notifications_costs_nothing() {
    let part = called_within(Duration::from_secs(30), |mut peer, request| async move {
        for number in 0..20_000 {
            let method =
                ["notifications/message", "notifications/tools/list_changed", "notifications/progress"][number % 3];
            let token = &request["params"]["_meta"]["progressToken"];
            peer.notify(method, json!({"progressToken": token, "progress": number, "level": "info", "data": 1})).await;
        }
        peer.answer(&request, text("there")).await;
        peer.hear().await;
    })
    .await;
    assert_eq!((part.outcome, said(&part.content).as_str()), (Outcome::Success, "there"));
}

#[tokio::test]
async fn an_error_of_the_protocol_is_the_call_s() {
    let part = called(|mut peer, request| async move {
        peer.refuse(&request, -32602, "no such city").await;
        peer.hear().await;
    })
    .await;
    is_failure(&part, "no such city");
}

/// The error of a toolset whose tools cannot be had.
async fn refusal(toolset: McpToolset<()>) -> Error {
    let begun = Instant::now();
    let error = toolset.tools(&RunContext::detached(())).await.expect_err("it cannot be connected to");
    assert!(begun.elapsed() < Duration::from_secs(20), "it took {:?}", begun.elapsed());
    error
}

#[tokio::test]
async fn a_server_that_is_none_is_a_clear_error() {
    let missing = refusal(McpToolset::stdio(McpCommand::new("/no/such/server"))).await.to_string();
    assert!(
        missing.starts_with("the MCP server `/no/such/server` could not be connected to: it could not be started"),
        "{missing}"
    );
    let silent = McpToolset::stdio(McpCommand::new("sleep").arg("60"))
        .with_id("silent")
        .with_connect_timeout(Duration::from_millis(500));
    let silent = refusal(silent).await.to_string();
    assert!(
        silent.contains("the MCP server `silent` could not be connected to: it has not answered within 0.5"),
        "{silent}"
    );
    let script = "echo ${KEY} is wrong >&2; exit 3";
    let dying = McpCommand::new("sh").args(["-c", script]).env("KEY", "very-secret-key");
    let dying = refusal(McpToolset::stdio(dying)).await.to_string();
    assert!(dying.contains("ended with exit status: 3") && dying.contains("it said: [secret] is wrong"), "{dying}");
    let nowhere = refusal(McpToolset::http("http://127.0.0.1:9/mcp?key=very-secret-key")).await.to_string();
    assert!(nowhere.contains("`http://127.0.0.1:9` could not be connected to"), "{nowhere}");
    assert!(!nowhere.contains("very-secret"), "{nowhere}");
    let (client, mut peer) = pipe();
    tokio::spawn(async move {
        peer.shake_hands_as(json!({"protocolVersion": "1999-01-01"})).await;
        peer.hear().await
    });
    let old = refusal(McpToolset::pipe(client)).await.to_string();
    assert!(old.contains("it speaks version 1999-01-01"), "{old}");
}

#[tokio::test]
async fn mistakes_in_what_the_application_says_of_a_server_are_told() {
    for (http, why) in [
        (McpHttp::new("localhost"), "is no `http://` or `https://` one"),
        (McpHttp::new("http://a/").header("bad name", "x"), "header `bad name` is no HTTP header"),
        (McpHttp::new("http://a/").header("x", "line\nbreak"), "header `x` has a value with characters"),
    ] {
        let error = refusal(McpToolset::http(http)).await;
        assert_eq!(error.kind(), ErrorKind::Misuse);
        assert!(error.to_string().contains(why), "{error}");
    }
}
