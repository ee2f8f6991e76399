//! Bedrock's requests: their signatures and shapes before a server that looks at both, and their bodies before Amazon's own client.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex::Regex;
use toolwright::error::BoxError;
use toolwright::model::{self, ModelInput};
use toolwright::provider::Transport;
use toolwright::provider::bedrock::{BedrockModel, BedrockModelBuilder};
use toolwright::{Agent, ErrorKind, ModelSettings, ToolDefinition};
use toolwright_tests::{Suite, bodies};

use crate::aimock::Aimock;
use crate::katan::Katan;

const NOVA: &str = "us.amazon.nova-pro-v1:0";

fn behind(server: &Katan, name: &str) -> BedrockModelBuilder {
    BedrockModel::builder(name).region("eu-west-1").base_url(&server.url)
}

/// Sends requests on without a header.
struct Without(&'static str, reqwest::Client);

impl Transport for Without {
    async fn send(&self, mut request: reqwest::Request) -> Result<reqwest::Response, BoxError> {
        let header = request.headers_mut().remove(self.0);
        assert!(header.is_some_and(|value| value.is_sensitive()), "it is given a signed request");
        Ok(self.1.execute(request).await?)
    }
}

fn signed(server: &Katan, name: &str, token: Option<&str>) -> BedrockModelBuilder {
    behind(server, name).credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG", token)
}

pub(crate) async fn signatures(server: Katan) {
    let key = behind(&server, NOVA).api_key("a-key-of-its-own");
    for builder in [signed(&server, NOVA, None), signed(&server, NOVA, Some("a-session-token")), key] {
        let agent = Agent::<()>::builder(builder.build().expect("a model")).build().expect("an agent");
        let result = agent.run("Are you there?").await.expect("it is let in");
        assert!(result.output().contains("Are you there?"), "{}", result.output());
    }
    for header in ["authorization", "x-amz-date"] {
        let stripped = signed(&server, NOVA, None).transport(Without(header, reqwest::Client::new()));
        let model = stripped.build().expect("a model");
        let error = model::request(&model, &ModelInput::prompt("Go.")).await.expect_err("it is not let in");
        assert_eq!((error.kind(), error.status()), (ErrorKind::Provider, Some(401)), "{error}");
    }
}

pub(crate) async fn shapes(server: Katan) {
    for name in [NOVA, "global.anthropic.claude-opus-4-8"] {
        let model = signed(&server, name, None).settings(ModelSettings::new().max_tokens(99)).build().expect("a model");
        let mut input = ModelInput::prompt("Are you there?");
        input.instructions = Some("Be brief.".to_owned());
        let response = model::request(&model, &input).await.expect("an answer");
        assert!(format!("{:?}", response.parts).contains("max_tokens=99"), "{:?}", response.parts);
        assert_eq!(response.model_name.as_deref(), Some(name));
        let response = model::request(&model, &input.function_tools([ToolDefinition::new("a.b")])).await;
        let called: Vec<_> = response.expect("a call").tool_calls().map(|call| call.tool_name.clone()).collect();
        assert_eq!(called, ["a.b"], "it calls what it is offered, and by its own name");
    }
    let Some(extra) = serde_json::json!({"messages": []}).as_object().cloned() else { unreachable!("an object") };
    let input = ModelInput::prompt("Go.").settings(ModelSettings::new().extra_body(extra));
    let model = signed(&server, NOVA, None).build().expect("a model");
    let error = model::request(&model, &input).await.expect_err("nothing is asked");
    assert_eq!((error.status(), error.code()), (Some(400), Some("ValidationException")), "{error}");
}

/// What Amazon's own client finds in these bodies that it does not take.
fn refusal(bodies: &[u8]) -> Option<String> {
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/live/bedrock_bodies.py");
    let mut python = Command::new(python());
    let mut child = python.arg(checker).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("Python");
    // It stops reading where it finds something.
    let _ = child.stdin.take().expect("its input").write_all(bodies);
    let ended = child.wait_with_output().expect("it ends");
    (!ended.status.success()).then(|| String::from_utf8_lossy(&ended.stderr).into_owned())
}

/// The Python that the gate installs the checker's client for.
fn python() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/peers/bin/python")
}

/// Whether Amazon's own client is there.
pub(crate) fn can_be_checked() -> bool {
    let found = Command::new(python()).args(["-c", "import botocore"]).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// The server is not asked: the cases have servers of their own. It stands for all that is installed for these tests.
pub(crate) async fn wire_bodies(_: Aimock) {
    let checked = tokio::task::spawn_blocking(|| {
        let known = Regex::new("^wire/.*/bedrock--").expect("an expression");
        let other = Regex::new("^wire/tool-search/bm25/").expect("an expression");
        let suite = Suite::packed().expect("the packed cases").only(&[known]).without(&[other]);
        let bodies = bodies(&suite).expect("bodies");
        assert!(bodies.len() > 100, "only {} bodies", bodies.len());
        let lines = bodies.join(&b'\n');
        assert_eq!(refusal(&lines), None);
        let text = String::from_utf8(lines).expect("JSON");
        let with_more = text.replace(r#""inferenceConfig":{"#, r#""inferenceConfig":{"more":1,"#);
        assert_ne!(refusal(with_more.as_bytes()), None, "the check lets everything pass");
    });
    checked.await.expect("a check");
}
