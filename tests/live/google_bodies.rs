//! The bodies of Gemini requests, before the types of Google's own client, which refuse what they do not know.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright::error::BoxError;
use toolwright::model::{self, ModelInput, Thinking};
use toolwright::provider::Transport;
use toolwright::provider::google::GoogleModel;
use toolwright::{Agent, History, ModelSettings, OutputSpec, ToolChoice, ToolDefinition};

use crate::aimock::Aimock;
use crate::google::named;
use crate::llmock::Llmock;

/// Sends everything on, and keeps the bodies.
#[derive(Clone, Default)]
struct Recorder {
    client: reqwest::Client,
    bodies: Arc<Mutex<Vec<u8>>>,
}

impl Recorder {
    /// Keeps a body as a line.
    fn keep(&self, body: &[u8]) {
        self.bodies.lock().unwrap_or_else(PoisonError::into_inner).extend(body.iter().chain(b"\n"));
    }
}

impl Transport for Recorder {
    async fn send(&self, request: reqwest::Request) -> Result<reqwest::Response, BoxError> {
        let body = request.body().and_then(reqwest::Body::as_bytes).unwrap_or_default();
        self.keep(body);
        Ok(self.client.execute(request).await?)
    }
}

impl Recorder {
    /// All bodies, one a line.
    fn text(&self) -> String {
        String::from_utf8(self.bodies.lock().unwrap_or_else(PoisonError::into_inner).clone()).expect("JSON")
    }

    /// Whether there are so many bodies, and Google's own client knows all that is in them.
    fn assert_known(&self, count: usize) {
        let text = self.text();
        assert_eq!(text.lines().count(), count);
        assert_eq!(refusal(&text), None, "{text}");
        let with_more = text.replace(r#""parts":"#, r#""more":1,"parts":"#);
        assert_ne!(refusal(&with_more), None, "the check lets everything pass");
    }
}

/// What Google's own client finds in these bodies that it does not know.
fn refusal(bodies: &str) -> Option<String> {
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/live/google_bodies.py");
    let mut python = Command::new(python());
    let mut child = python.arg(checker).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("Python");
    // It stops reading where it knows something not.
    let _ = child.stdin.take().expect("its input").write_all(bodies.as_bytes());
    let ended = child.wait_with_output().expect("it ends");
    (!ended.status.success()).then(|| String::from_utf8_lossy(&ended.stderr).into_owned())
}

/// The Python that the gate installs the checker's client for.
fn python() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/peers/bin/python")
}

/// Whether Google's own client is there.
pub(crate) fn can_be_checked() -> bool {
    let found = Command::new(python()).args(["-c", "import google.genai"]).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// A conversation with everything in it that a request can carry.
fn conversation() -> History {
    let file =
        |media_type: &str| json!({"kind": "binary", "media_type": media_type, "data": "cG5n", "identifier": "f"});
    let call = |id: &str| json!({"part_kind": "tool-call", "tool_name": "t", "args": {"x": 1}, "tool_call_id": id});
    let answer = |id: &str, content, outcome: &str| json!({"part_kind": "tool-return", "tool_name": "t", "content": content, "tool_call_id": id, "outcome": outcome});
    let url = json!({"kind": "document-url", "url": "https://example.com/a.pdf"});
    let signed = json!({"part_kind": "text", "content": "Let me see.", "provider_name": "google",
        "provider_details": {"thought_signature": "c2lnbmVk"}});
    let history = json!([
        {"kind": "request", "parts": [
            {"part_kind": "system-prompt", "content": "Be kind."},
            {"part_kind": "user-prompt", "content": ["See:", file("image/png"), url]},
        ]},
        {"kind": "response", "provider_name": "google", "parts": [
            {"part_kind": "thinking", "content": "Hm."}, signed, call("1"), call("2"), call("3"), call("4"),
        ]},
        {"kind": "request", "parts": [
            answer("1", json!(["a", file("image/png"), file("audio/wav")]), "success"),
            answer("2", json!([1, null]), "success"),
            answer("3", json!("no"), "failed"),
            {"part_kind": "user-prompt", "content": "Go on."},
        ]},
    ]);
    History::from_json(&history.to_string()).expect("a history")
}

pub(crate) async fn bodies(server: Llmock) {
    let recorder = Recorder::default();
    let schema = json!({"type": "object", "properties": {"x": {"type": "string", "format": "date", "title": "X"}}});
    let tools = || ["t", "u"].map(|name| ToolDefinition::new(name).with_parameters(schema.clone()));
    let settings = ModelSettings::new()
        .max_tokens(99)
        .temperature(0.5)
        .top_p(0.5)
        .presence_penalty(0.1)
        .frequency_penalty(0.1)
        .stop_sequences(vec!["END".to_owned()])
        .seed(1)
        .thinking(Thinking::Low);
    for name in ["gemini-2.0-flash", "gemini-2.5-pro", "gemini-3-pro-preview"] {
        let model = named(name, &server).transport(recorder.clone()).build().expect("a model");
        for choice in [ToolChoice::Auto, ToolChoice::tools(["t"]), ToolChoice::tool_or_output(["u"])] {
            let settings = settings.clone().tool_choice(choice);
            let mut input = ModelInput::new(conversation()).function_tools(tools()).settings(settings);
            input.instructions = Some("Be brief.".to_owned());
            model::request(&model, &input).await.expect("a reply");
        }
    }
    recorder.assert_known(9);
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Advice {
    garment: String,
    #[schemars(range(min = 1, max = 5))]
    layers: Option<u8>,
    places: Vec<Place>,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Place {
    Town,
    Mountain,
}

pub(crate) async fn native_output(server: Aimock) {
    let said = json!({"garment": "coat", "layers": 2, "places": ["town", "mountain"]});
    server.will(json!([{"match": {"userMessage": "What should I wear?"}, "response": {"content": said}}])).await;
    let recorder = Recorder::default();
    for name in ["gemini-2.5-pro", "gemini-3-pro-preview"] {
        let model = GoogleModel::builder(name).base_url(&server.url).api_key("AIza-for-a-mock");
        let model = model.transport(recorder.clone()).build().expect("a model");
        let agent = Agent::<()>::builder(model).output(OutputSpec::<Advice>::of().native()).build().expect("an agent");
        let result = agent.run("What should I wear?").await.expect("a run");
        let expected =
            Advice { garment: "coat".to_owned(), layers: Some(2), places: vec![Place::Town, Place::Mountain] };
        assert_eq!(result.output(), &expected);
    }
    assert!(recorder.text().contains("application/json"), "the provider is asked for JSON: {}", recorder.text());
    recorder.assert_known(2);
}
