//! Requests that are signed, by way of a transport of the user's.

use super::*;
use crate::error::ErrorKind;
use crate::model;

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG";
const TOKEN: &str = "a-very-long-session-token";

fn signed(server: Arc<Canned>) -> BedrockModel {
    let builder = BedrockModel::builder(NOVA).region("eu-west-1").credentials("AKIDEXAMPLE", SECRET, Some(TOKEN));
    let builder = builder.base_url("http://localhost:1").transport(server);
    builder.settings(ModelSettings::new().max_retries(1)).build().expect("a model")
}

fn done() -> Vec<u8> {
    br#"{"output": {"message": {"content": [{"text": "done"}]}}, "stopReason": "end_turn"}"#.to_vec()
}

#[tokio::test]
async fn every_attempt_is_signed_for_itself() {
    let server = Canned::with([(503, Vec::new()), (200, done())]);
    let mut input = question();
    let extra = vec![("x-amzn-bedrock-trace".to_owned(), "ENABLED".to_owned())];
    input.settings = ModelSettings::new().extra_headers(extra);
    model::request(&signed(server.clone()), &input).await.expect("an answer");
    let sent = server.sent();
    assert_eq!(sent.len(), 2);
    for request in &sent {
        let authorization = header(request, "authorization").expect("a signature");
        assert!(authorization.contains("/eu-west-1/bedrock/aws4_request"), "{authorization}");
        assert!(authorization.contains("content-type;host;x-amz-date;x-amz-security-token;x-amzn-bedrock-trace"));
        assert_eq!(header(request, "x-amz-security-token"), Some(TOKEN));
        assert!(!format!("{request:?}").contains(TOKEN) && !format!("{request:?}").contains("Signature"));
    }
    assert_eq!(sent_body(&sent[0]), sent_body(&sent[1]));
}

#[tokio::test]
async fn what_a_server_repeats_of_the_credentials_is_not_shown() {
    let server = Canned::with([(403, format!(r#"{{"message": "{TOKEN} has expired"}}"#).into_bytes())]);
    let error = model::request(&signed(server), &question()).await.expect_err("refused");
    assert!(error.to_string().contains("[key] has expired"), "{error}");
    let server = Canned::with([(200, format!(r#"{{"message": "{TOKEN}"}}"#).into_bytes())]);
    let error = model::request(&signed(server), &question()).await.expect_err("unusable");
    assert!(!format!("{error} {error:?}").contains(TOKEN), "{error}");
    assert!(!format!("{:?}", signed(Canned::with([]))).contains(SECRET));
}

#[tokio::test]
async fn what_cannot_be_signed_is_misuse() {
    let server = Canned::with([(200, done())]);
    let settings = ModelSettings::new().extra_headers(vec![("x-name".to_owned(), "é".to_owned())]);
    let error = model::request(&signed(server.clone()), &question().settings(settings)).await.expect_err("misuse");
    assert_eq!((error.kind(), server.sent().len()), (ErrorKind::Misuse, 0));
    assert!(std::error::Error::source(&error).is_some_and(|cause| cause.to_string().contains("ASCII")));
}

#[test]
fn a_signature_needs_a_region() {
    let is_said = ["AWS_REGION", "AWS_DEFAULT_REGION"].iter().any(|name| std::env::var_os(name).is_some());
    let built = BedrockModel::builder(NOVA).credentials("AKID", "secret", None).base_url("http://localhost:1").build();
    if !is_said && let Err(error) = built {
        assert!(error.to_string().contains("AWS_REGION"), "{error}");
    }
}

#[cfg(feature = "aws-config")]
#[tokio::test]
async fn an_aws_configuration_says_who_asks_and_where() {
    let given = Credentials::new("AKGIVEN", SECRET, None, None, "test");
    let config = aws_config::SdkConfig::builder()
        .region(aws_config::Region::new("ap-south-1"))
        .credentials_provider(aws_credential_types::provider::SharedCredentialsProvider::new(given))
        .build();
    let server = Canned::with([(200, done())]);
    let builder = BedrockModel::builder(NOVA).aws_config(&config).transport(server.clone());
    let model = builder.build().expect("a model");
    assert!(format!("{model:?}").contains("bedrock-runtime.ap-south-1."));
    model::request(&model, &question()).await.expect("an answer");
    let authorization = header(&server.sent()[0], "authorization").map(str::to_owned).expect("a signature");
    assert!(authorization.contains("Credential=AKGIVEN/") && authorization.contains("/ap-south-1/bedrock/"));
}
