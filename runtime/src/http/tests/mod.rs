//! The client against a server that misbehaves.

mod runtimes;
mod streams;

use std::error::Error as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap};

use super::server::{Say, Server, raw, reply};
use super::{AnyTransport, ApiKey, Client, Reply, Request, Transport};
use crate::error::{BoxError, Error, ErrorKind, Result};
use crate::model::ModelSettings;

const KEY: &str = "sk-very-secret";

/// A request to a server, and what it borrows.
struct Asking {
    url: Url,
    key: ApiKey,
}

impl Asking {
    fn at(url: &str) -> Self {
        Self { url: Url::parse(&format!("{url}/v1/x?token=hidden")).expect("a URL"), key: ApiKey::new(KEY) }
    }

    fn request<'a>(&'a self, settings: &'a ModelSettings) -> Request<'a> {
        let headers = HeaderMap::from_iter([(AUTHORIZATION, self.key.bearer().expect("a header"))]);
        let body = br#"{"a":1}"#.to_vec();
        Request { provider: "example", url: &self.url, headers, key: &self.key, body, settings }
    }
}

async fn send_with(client: &Client, server: &Server, settings: &ModelSettings) -> Result<Reply> {
    client.send(Asking::at(&server.url).request(settings)).await
}

async fn send(server: &Server, settings: &ModelSettings) -> Result<Reply> {
    send_with(&Client::new().expect("a client"), server, settings).await
}

fn once() -> ModelSettings {
    ModelSettings::new().max_retries(0)
}

/// Nothing that a user may see holds the key or the query.
fn assert_discreet(error: &Error) {
    let mut shown = format!("{error} {error:?}");
    let mut source = error.source();
    while let Some(cause) = source {
        shown.push_str(&format!(" {cause} {cause:?}"));
        source = cause.source();
    }
    assert!(!shown.contains("very-secret") && !shown.contains("hidden"), "{shown}");
}

#[tokio::test]
async fn passing_failures_are_tried_again() {
    for status in [408, 409, 425, 429, 500, 503, 529] {
        let busy = reply(status, &["retry-after-ms: 1"], r#"{"error":{"message":"busy"}}"#);
        let server = Server::start(vec![busy, reply(200, &["x-request-id: r1"], "{}")]).await;
        let answer = send(&server, &ModelSettings::new()).await.expect("the second attempt");
        assert_eq!((answer.body.as_slice(), answer.request_id.as_deref()), (b"{}".as_slice(), Some("r1")));
        let requests = server.requests();
        assert_eq!(requests.len(), 2);
        assert_eq!(requests[0], requests[1]);
        assert!(requests[0].contains(&format!("authorization: Bearer {KEY}")) && requests[0].ends_with(r#"{"a":1}"#));
    }
}

#[tokio::test]
async fn lasting_failures_are_not() {
    for status in [400, 401, 403, 404, 413, 422, 451] {
        let server = Server::start(vec![reply(status, &["x-request-id: r7"], r#"{"error":{"message":"no"}}"#)]).await;
        let error = send(&server, &ModelSettings::new()).await.err().expect("a refusal");
        assert_eq!((error.kind(), error.status(), error.request_id()), (ErrorKind::Provider, Some(status), Some("r7")));
        let text = error.to_string();
        assert!(text.contains(&status.to_string()) && text.contains("no") && text.contains("r7"), "{text}");
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn attempts_are_counted() {
    let busy = || reply(503, &["retry-after: 0"], "");
    let server = Server::start(vec![busy(), busy(), busy(), busy()]).await;
    let error = send(&server, &ModelSettings::new()).await.err().expect("no answer");
    assert_eq!((server.requests().len(), error.status(), error.is_retryable()), (3, Some(503), true));
    let server = Server::start(vec![busy(), busy()]).await;
    assert!(send(&server, &once()).await.is_err());
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn waits_that_would_be_too_long_are_not_begun() {
    let begun = Instant::now();
    let server = Server::start(vec![reply(429, &["retry-after: 3600"], "")]).await;
    assert_eq!(send(&server, &ModelSettings::new()).await.err().expect("no answer").status(), Some(429));
    let server = Server::start(vec![reply(429, &["retry-after: 30"], "")]).await;
    let hasty = ModelSettings::new().timeout(Duration::from_secs(5));
    assert_eq!(send(&server, &hasty).await.err().expect("no answer").status(), Some(429));
    assert!(begun.elapsed() < Duration::from_secs(4));
}

#[tokio::test]
async fn broken_connections_are_tried_again() {
    let cut = Say::Bytes(raw(200, &[], 100, r#"{"half":"#));
    let server = Server::start(vec![Say::Bytes(String::new()), cut, reply(200, &[], "{}")]).await;
    assert_eq!(send(&server, &ModelSettings::new()).await.expect("the third attempt").body, b"{}");
    let server = Server::start(vec![Say::Bytes(raw(200, &[], 100, "{"))]).await;
    let error = send(&server, &once()).await.err().expect("half a reply");
    assert!(error.is_retryable() && error.status().is_none());
    assert_discreet(&error);
    let nobody = Server::start(vec![]).await;
    tokio::task::yield_now().await;
    let error = send(&nobody, &once()).await.err().expect("nobody there");
    assert_eq!(error.kind(), ErrorKind::Provider);
    assert_discreet(&error);
}

#[tokio::test]
async fn silence_and_slowness_have_limits() {
    let client = Client::new().expect("a client").first_byte(Duration::from_millis(100));
    let server = Server::start(vec![Say::Hang(String::new()), reply(200, &[], "{}")]).await;
    let settings = ModelSettings::new().max_retries(1);
    assert!(send_with(&client, &server, &settings).await.is_ok());
    server.client_has_closed().await;
    let server = Server::start(vec![Say::Hang(raw(200, &[], 100, "{"))]).await;
    let error = send(&server, &once().timeout(Duration::from_millis(200))).await.err().expect("no end");
    assert!(error.is_retryable() && error.to_string().contains("in time"), "{error}");
    server.client_has_closed().await;
}

#[tokio::test]
async fn dropping_closes_the_connection() {
    let server = Server::start(vec![Say::Hang(String::new())]).await;
    let settings = ModelSettings::new();
    let sending = send(&server, &settings);
    assert!(tokio::time::timeout(Duration::from_millis(200), sending).await.is_err());
    server.client_has_closed().await;
}

#[tokio::test]
async fn bodies_are_bounded() {
    let server = Server::start(vec![Say::Bytes(raw(200, &[], usize::MAX / 4, "{"))]).await;
    let error = send(&server, &ModelSettings::new()).await.err().expect("too large");
    assert!(!error.is_retryable() && error.to_string().contains("MiB"), "{error}");
    let endless = "x".repeat(33 << 20);
    let unannounced = format!("HTTP/1.1 200 X\r\nconnection: close\r\n\r\n{endless}");
    let server = Server::start(vec![Say::Bytes(unannounced)]).await;
    assert!(send(&server, &ModelSettings::new()).await.err().expect("too large").to_string().contains("MiB"));
    let server = Server::start(vec![reply(400, &[], &endless)]).await;
    assert_eq!(send(&server, &once()).await.err().expect("a refusal").status(), Some(400));
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = Server::start(vec![reply(200, &[], "{}")]).await;
    let location = format!("location: {}/x", elsewhere.url);
    let server = Server::start(vec![reply(307, &[&location], "")]).await;
    let error = send(&server, &ModelSettings::new()).await.err().expect("no redirect");
    assert_eq!(error.status(), Some(307));
    assert!(error.to_string().contains("base URL"), "{error}");
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn the_key_is_never_shown() {
    let short = ApiKey::new("a");
    assert_eq!(short.redact("a word"), "a word");
    let echo = format!(r#"{{"error":{{"message":"wrong key: {KEY}"}}}}"#);
    let server = Server::start(vec![reply(401, &[], &echo)]).await;
    let error = send(&server, &ModelSettings::new()).await.err().expect("a refusal");
    assert!(error.to_string().contains("wrong key: [key]"), "{error}");
    assert_discreet(&error);
    assert_eq!(format!("{:?}", ApiKey::new(KEY)), "ApiKey(..)");
    assert!(!format!("{:?}", ApiKey::new(KEY).bearer()).contains("secret"));
    assert!(ApiKey::new("line\nbreak").bearer().is_err_and(|error| !format!("{error:?}").contains("break")));
}

#[tokio::test]
async fn extra_headers_are_sent_or_refused() {
    let server = Server::start(vec![reply(200, &[], "{}")]).await;
    let header =
        |name: &str, value: &str| ModelSettings::new().extra_headers(vec![(name.to_owned(), value.to_owned())]);
    assert!(send(&server, &header("x-extra", "1")).await.is_ok());
    assert!(server.requests()[0].contains("x-extra: 1"));
    for wrong in [header("no spaces", "1"), header("x", "line\nbreak")] {
        assert_eq!(send(&server, &wrong).await.err().expect("misuse").kind(), ErrorKind::Misuse);
    }
}

/// Answers from memory, the last answer first.
struct Memory(Mutex<Vec<Result<http::Response<&'static str>, &'static str>>>);

impl Transport for Memory {
    async fn send(&self, request: reqwest::Request) -> Result<reqwest::Response, BoxError> {
        assert!(!format!("{request:?}").contains("very-secret"));
        assert_eq!(request.body().and_then(reqwest::Body::as_bytes), Some(br#"{"a":1}"#.as_slice()));
        let answer = self.0.lock().expect("nobody panicked").pop().expect("no request too many");
        Ok(answer.map(Into::into)?)
    }
}

fn answer(status: u16, body: &'static str) -> Result<http::Response<&'static str>, &'static str> {
    Ok(http::Response::builder().status(status).header("retry-after-ms", "1").body(body).expect("a reply"))
}

async fn send_over(answers: Vec<Result<http::Response<&'static str>, &'static str>>) -> Result<Reply> {
    let client = Client::over(AnyTransport::new(Memory(Mutex::new(answers))));
    // Nobody is there.
    send_with(&client, &Server::start(vec![]).await, &ModelSettings::new()).await
}

#[tokio::test]
async fn a_transport_of_the_caller_s_is_tried_again_like_any() {
    let reply = send_over(vec![answer(200, "{}"), Err("no route"), answer(503, "")]).await.expect("the third attempt");
    assert_eq!(reply.body, b"{}");
    let error = send_over(vec![answer(200, "{}"), Err("no gate"), Err("no route"), Err("no route")]).await;
    let error = error.err().expect("no attempt is left");
    assert!(error.is_retryable() && error.kind() == ErrorKind::Provider);
    assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("no gate"));
    assert_discreet(&error);
    assert_eq!(send_over(vec![answer(404, "")]).await.err().expect("a refusal").status(), Some(404));
}

#[tokio::test]
async fn a_transport_s_body_can_come_in_pieces() {
    struct Pieces(&'static [Result<&'static str, &'static str>]);
    impl Transport for Pieces {
        async fn send(&self, _: reqwest::Request) -> Result<reqwest::Response, BoxError> {
            let pieces = futures_util::stream::iter(self.0.to_vec());
            Ok(http::Response::new(reqwest::Body::wrap_stream(pieces)).into())
        }
    }
    let server = Server::start(vec![]).await;
    let send = async |pieces| send_with(&Client::over(AnyTransport::new(Pieces(pieces))), &server, &once()).await;
    assert_eq!(send(&[Ok("{\"a\":"), Ok("1}")]).await.expect("a reply").body, br#"{"a":1}"#);
    assert!(send(&[Ok("{\"a\":"), Err("cut")]).await.err().expect("half a reply").is_retryable());
}

#[tokio::test]
async fn ids_and_parsers_do_not_show_the_key() {
    let id = format!("x-request-id: {}{KEY}", "r".repeat(190));
    for status in [200, 401] {
        let server = Server::start(vec![reply(status, &[&id], &format!("\"{KEY}\""))]).await;
        let error = match send(&server, &once()).await {
            Ok(reply) => reply.json::<u8>().expect_err("no number"),
            Err(error) => error,
        };
        assert!(error.request_id().is_some_and(|id| id.ends_with("[key]")), "{error}");
        assert_discreet(&error);
        let source = error.source().map(ToString::to_string);
        assert_eq!(source.is_some_and(|cause| cause.contains("[key]")), status == 200);
    }
}

/// An error that says nothing, but whose cause and whose `Debug` tell all.
#[derive(Debug, thiserror::Error)]
#[error("no gate")]
struct Telltale(#[source] BoxError);

#[tokio::test]
async fn a_transport_s_errors_do_not_show_the_key() {
    struct Talkative;
    impl Transport for Talkative {
        async fn send(&self, request: reqwest::Request) -> Result<reqwest::Response, BoxError> {
            let header = &request.headers()[AUTHORIZATION];
            Err(Telltale(format!("sent {}", header.to_str().expect("text")).into()).into())
        }
    }
    struct CutOff;
    impl Transport for CutOff {
        async fn send(&self, _: reqwest::Request) -> Result<reqwest::Response, BoxError> {
            let pieces = futures_util::stream::iter([Ok("{"), Err(Telltale(KEY.into()))]);
            Ok(http::Response::new(reqwest::Body::wrap_stream(pieces)).into())
        }
    }
    let server = Server::start(vec![]).await;
    for transport in [AnyTransport::new(Talkative), AnyTransport::new(CutOff)] {
        let client = Client::over(transport);
        let error = send_with(&client, &server, &once()).await.err().expect("no reply");
        let source = error.source().map(ToString::to_string).expect("a cause");
        assert!(source.contains("no gate") && source.contains("[key]") && error.is_retryable(), "{source}");
        assert_discreet(&error);
        let settings = once();
        let asking = Asking::at(&server.url);
        let streamed = async { client.stream(asking.request(&settings)).await?.document().await };
        assert_discreet(&streamed.await.err().expect("no reply"));
    }
}

#[tokio::test]
async fn refusals_that_do_not_end_are_not_waited_for() {
    let begun = Instant::now();
    let server = Server::start(vec![Say::Hang(raw(401, &[], 100, r#"{"error":"no"}"#))]).await;
    let error = send(&server, &ModelSettings::new()).await.err().expect("a refusal");
    assert_eq!(error.status(), Some(401));
    assert!(error.to_string().ends_with(": no"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(30));
    server.client_has_closed().await;
}
