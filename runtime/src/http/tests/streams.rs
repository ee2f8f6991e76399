//! Replies that come as events.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::http::ReplyStream;

async fn stream_with(client: &Client, url: &str, settings: &ModelSettings) -> Result<ReplyStream> {
    client.stream(Asking::at(url).request(settings)).await
}

async fn stream(server: &Server, settings: &ModelSettings) -> Result<ReplyStream> {
    stream_with(&Client::new().expect("a client"), &server.url, settings).await
}

/// A reply that ends with its connection.
fn open_ended(events: &str) -> String {
    format!(
        "HTTP/1.1 200 X\r\nconnection: close\r\ncontent-type: text/event-stream\r\nx-request-id: r1\r\n\r\n{events}"
    )
}

async fn next(stream: &mut ReplyStream) -> Result<Option<String>> {
    let data = stream.next().await?;
    Ok(data.map(|data| String::from_utf8_lossy(data).into_owned()))
}

/// The data of all events, and what came after them.
async fn rest(stream: &mut ReplyStream) -> (Vec<String>, Option<Error>) {
    let mut events = Vec::new();
    loop {
        match next(stream).await {
            Ok(Some(data)) => events.push(data),
            Ok(None) => return (events, None),
            Err(error) => return (events, Some(error)),
        }
    }
}

#[tokio::test]
async fn events_are_given_as_they_come() {
    let server = Server::start(vec![Say::Hang(open_ended("data: a\n\ndata: b\n\ndata: c"))]).await;
    let mut stream = stream(&server, &ModelSettings::new()).await.expect("a reply");
    assert_eq!(next(&mut stream).await.expect("an event").as_deref(), Some("a"));
    assert_eq!(next(&mut stream).await.expect("an event").as_deref(), Some("b"));
    drop(stream);
    server.client_has_closed().await;
    assert!(server.requests()[0].ends_with(r#"{"a":1}"#));
}

#[tokio::test]
async fn the_end_leaves_what_is_no_whole_event() {
    let server = Server::start(vec![Say::Bytes(open_ended("data: a\n\ndata: b"))]).await;
    let mut stream = stream(&server, &ModelSettings::new()).await.expect("a reply");
    let (events, error) = rest(&mut stream).await;
    assert_eq!((events, error.is_none()), (vec!["a".to_owned()], true));
    assert_eq!(stream.remainder(), Some(b"b".as_slice()));
}

#[tokio::test]
async fn requests_are_sent_again_until_the_first_byte_and_not_after() {
    let busy = reply(503, &["retry-after-ms: 1"], "");
    let empty = Say::Bytes(raw(200, &[], 100, ""));
    let server = Server::start(vec![busy, empty, reply(200, &[], "data: a\n\n")]).await;
    let mut third = stream(&server, &ModelSettings::new()).await.expect("the third attempt");
    assert_eq!(rest(&mut third).await.0, ["a"]);
    let server = Server::start(vec![Say::Bytes(raw(200, &["x-request-id: r1"], 100, "data: a\n\n"))]).await;
    let mut broken = stream(&server, &ModelSettings::new()).await.expect("a reply");
    let (events, error) = rest(&mut broken).await;
    let error = error.expect("it breaks off");
    assert!(error.is_retryable() && error.request_id() == Some("r1") && error.status().is_none(), "{error}");
    assert_discreet(&error);
    assert_eq!((events.len(), server.requests().len()), (1, 1));
}

#[tokio::test]
async fn refusals_are_those_of_whole_replies() {
    let server = Server::start(vec![reply(401, &[], &format!(r#"{{"error":"wrong key {KEY}"}}"#))]).await;
    let error = stream(&server, &ModelSettings::new()).await.err().expect("a refusal");
    assert_eq!((error.status(), error.is_retryable()), (Some(401), false));
    assert_discreet(&error);
}

#[tokio::test]
async fn silence_and_length_have_limits() {
    let hasty = Client::new().expect("a client").first_byte(Duration::from_millis(100));
    let server = Server::start(vec![Say::Hang(open_ended("data: a\n\n")), Say::Hang(open_ended(""))]).await;
    let mut silent = stream_with(&hasty, &server.url, &once()).await.expect("a reply");
    let (events, error) = rest(&mut silent).await;
    let error = error.expect("it falls silent");
    assert!(events.len() == 1 && error.is_retryable() && error.to_string().contains("first-byte"), "{error}");
    drop(silent);
    server.client_has_closed().await;
    assert!(stream_with(&hasty, &server.url, &once()).await.is_err_and(|error| error.is_retryable()));
    server.client_has_closed().await;

    let server = Server::start(vec![Say::Hang(open_ended("data: a\n\n"))]).await;
    let mut long = stream(&server, &once().timeout(Duration::from_millis(200))).await.expect("a reply");
    let error = rest(&mut long).await.1.expect("its time is up");
    assert!(error.is_retryable() && error.to_string().contains("ModelSettings::timeout"), "{error}");
}

#[tokio::test]
async fn events_are_bounded() {
    let server = Server::start(vec![Say::Bytes(open_ended(&format!("data: {}", "x".repeat(17 << 20))))]).await;
    let mut stream = stream(&server, &once()).await.expect("a reply");
    let error = rest(&mut stream).await.1.expect("too large");
    assert!(!error.is_retryable() && error.to_string().contains("16 MiB"), "{error}");
}

#[tokio::test]
async fn a_document_in_place_of_events_is_read_whole() {
    for (header, body, is_document) in [
        ("content-type: application/json", r#"{"b":2}"#, true),
        ("content-type: text/event-stream", "\n {\"b\":2}", true),
        ("content-type: application/json", "data: {}\n\n", false),
        ("x: y", "<html>", false),
        ("x: y", "", false),
    ] {
        let server = Server::start(vec![reply(200, &[header], body)]).await;
        let stream = stream(&server, &once()).await.expect("a reply");
        assert_eq!(stream.is_document(), is_document, "{body}");
        assert_eq!(stream.document().await.expect("a document").body, body.as_bytes());
    }
}

#[tokio::test]
async fn what_is_unusable_names_the_request_but_not_the_key() {
    let server = Server::start(vec![Say::Bytes(open_ended("data: a\n\n"))]).await;
    let stream = stream(&server, &once()).await.expect("a reply");
    let error = stream.unusable(&format!("said {KEY}"));
    assert_eq!(error.to_string(), "example answered with status 200, but said [key] (request r1)");
    let quoted = serde_json::from_str::<u8>(&format!("\"{KEY}\"")).expect_err("no number");
    assert!(quoted.to_string().contains(KEY));
    assert_discreet(&stream.unreadable(&quoted));
    assert_discreet(&stream.unusable(&format!("{}{KEY}", "x".repeat(990))));
}

#[tokio::test]
async fn a_server_that_does_not_end_is_not_waited_for() {
    let server = Server::start(vec![Say::Hang(open_ended("data: end\n\n"))]).await;
    let mut stream = stream(&server, &once()).await.expect("a reply");
    assert_eq!(next(&mut stream).await.expect("an event").as_deref(), Some("end"));
    let begun = Instant::now();
    stream.finish().await;
    assert!(begun.elapsed() < Duration::from_secs(2));
    server.client_has_closed().await;
}

#[tokio::test]
async fn a_connection_is_used_again_after_a_whole_reply() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback is there");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("one connection");
        while socket.read(&mut [0; 4096]).await.is_ok_and(|read| read > 0) {
            let reply = "HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n9\r\ndata: a\n\n\r\n";
            socket.write_all(reply.as_bytes()).await.expect("sent");
            tokio::time::sleep(Duration::from_millis(20)).await;
            socket.write_all(b"0\r\n\r\n").await.expect("sent");
        }
    });
    let client = Client::new().expect("a client");
    for _ in 0..2 {
        let settings = once().timeout(Duration::from_secs(5));
        let mut stream = stream_with(&client, &url, &settings).await.expect("a reply");
        assert_eq!(next(&mut stream).await.expect("an event").as_deref(), Some("a"));
        stream.finish().await;
    }
}
