//! Tokens in place of a key.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::ErrorKind;
use crate::http::server::{Server, reply};
use crate::model::{self, ModelSettings};
use crate::provider::chat::tests::question;
use crate::provider::openai::{OpenAiChatModel, OpenAiChatModelBuilder, Service};

const DONE: &str = r#"{"choices":[{"index":0,"message":{"content":"done"},"finish_reason":"stop"}]}"#;

fn at(server: &Server) -> OpenAiChatModelBuilder {
    let builder = OpenAiChatModel::at(Service::Azure, "my-deployment").base_url(&server.url);
    builder.settings(ModelSettings::new().max_retries(0))
}

#[tokio::test]
async fn each_request_has_a_token_of_its_own() {
    let server = Server::start(vec![reply(200, &[], DONE), reply(200, &[], DONE)]).await;
    let given = Arc::new(AtomicUsize::new(0));
    let model = at(&server).token_provider(move || {
        let number = given.fetch_add(1, Ordering::Relaxed);
        async move { Ok::<_, io::Error>(format!("entra-{number}")) }
    });
    let model = model.build().expect("no key is needed");
    for number in 0..2 {
        model::request(&model, &question()).await.expect("an answer");
        let request = &server.requests()[number];
        assert!(request.contains(&format!("authorization: Bearer entra-{number}\r\n")), "{request}");
        assert!(!request.contains("api-key:"), "{request}");
    }
}

#[tokio::test]
async fn a_token_that_cannot_be_had_ends_the_request_and_none_is_shown() {
    let server = Server::start(vec![]).await;
    let model = at(&server).token_provider(|| async { Err::<String, _>(io::Error::other("signed out")) });
    let error = model::request(&model.build().expect("a model"), &question()).await.expect_err("no token");
    let source = std::error::Error::source(&error).map(ToString::to_string);
    assert_eq!((error.kind(), source.as_deref()), (ErrorKind::Provider, Some("signed out")));
    assert!(error.to_string().contains("azure"), "{error}");
    let model = at(&server).token_provider(|| async { Ok::<_, io::Error>(" ".to_owned()) });
    let error = model::request(&model.build().expect("a model"), &question()).await.expect_err("no token");
    assert!(error.to_string().contains("empty"), "{error}");
    let echo = r#"{"error":{"message":"bad token: a-very-secret-token"}}"#;
    let server = Server::start(vec![reply(401, &[], echo)]).await;
    let model = at(&server).token_provider(|| async { Ok::<_, io::Error>("a-very-secret-token".to_owned()) });
    let error = model::request(&model.build().expect("a model"), &question()).await.expect_err("a refusal");
    assert_eq!(error.status(), Some(401));
    assert!(!format!("{error} {error:?}").contains("very-secret"), "{error}");
}
