//! Invariant 7: whatever a server does with the key, nobody sees it.

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};
use toolwright::provider::openai::OpenAiChatModel;
use toolwright::{Agent, ModelSettings, RecordedHistory, tool, tools};
use toolwright_tests::{Reply, Server};

/// Does nothing.
#[tool]
async fn wait() {}

/// A bearer token, too long to be a word.
fn keys() -> impl Strategy<Value = String> {
    "sk-[A-Za-z0-9._~+/-]{8,48}={0,2}"
}

/// How a streamed answer begins.
const BEGUN: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Well\"}}]}\n\n";

/// What a body says of the key. An answer in the API's own form is not among them: that is what the model says.
fn bodies(key: String) -> impl Strategy<Value = String> {
    let said = prop_oneof![
        Just(key.clone()),
        Just(format!("Incorrect API key provided: {key}. You can find it elsewhere.")),
        // Long enough for the key to be where messages are cut.
        (900_usize..1010).prop_map(move |before| format!("{}Bearer {key}", "x".repeat(before))),
    ];
    let placed = (said, 0_usize..13).prop_map(|(said, place)| {
        let places: [Value; 13] = [
            json!(said),
            json!([said]),
            json!({"error": said}),
            json!({"error": {"message": said, "code": said}}),
            json!({"error": {"code": said}}),
            json!({"error": {"message": {"message": [said]}}}),
            json!({"message": said}),
            json!({"detail": [{"input": said}]}),
            json!({"choices": said}),
            json!({"choices": [said]}),
            json!({"choices": [{"message": said}]}),
            json!({"choices": [{"message": {"tool_calls": said}}]}),
            json!({"choices": [{"message": {"tool_calls": [{"function": said}]}}]}),
        ];
        (places[place].to_string(), said)
    });
    (placed, 0_u8..8).prop_map(|((json, said), form)| match form {
        0 => format!("<html>{said}</html>"),
        1 => json[..json.len() - 1].to_owned(),
        2 | 3 => json,
        4 => format!("data: {said}\n\n"),
        5 => format!("{BEGUN}data: {json}\n"),
        6 => format!("{BEGUN}event: error\ndata: {json}\n\ndata: [DONE]\n\n"),
        _ => format!("data: {}\n\ndata: [DONE]\n\n", json.replace("\"message\"", "\"delta\"")),
    })
}

/// A reply that is none, and may have the key anywhere.
fn faults(key: String) -> impl Strategy<Value = Reply> {
    let status = prop_oneof![3 => Just(200), 2 => Just(401), 2 => 300_u16..400, 3 => 400_u16..600];
    let header = prop::sample::select(vec![
        ("x-request-id", key.clone()),
        ("location", format!("/elsewhere?key={key}")),
        ("retry-after", key.clone()),
        ("www-authenticate", format!("Bearer {key}")),
        ("content-type", key.clone()),
        ("content-encoding", key.clone()),
    ]);
    (status, prop::collection::vec(header, 0..3), bodies(key), any::<bool>()).prop_map(
        |(status, headers, body, cut)| {
            let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value));
            let mut headers: BTreeMap<_, _> = headers.collect();
            if cut {
                headers.insert("connection".to_owned(), "close".to_owned());
                headers.insert("content-length".to_owned(), (body.len() + 1).to_string());
            }
            Reply::new(status, headers, body)
        },
    )
}

/// Everything that an error says, down to its first cause.
fn said_by(error: &dyn StdError) -> String {
    let mut said = format!("{error} {error:?}");
    let mut cause = error.source();
    while let Some(error) = cause {
        said.push_str(&format!(" {error} {error:?}"));
        cause = error.source();
    }
    said
}

/// Everything that can be seen of an agent whose server first wants a tool to be called, and then fails like this.
async fn seen(model: &OpenAiChatModel, server: &Server, fault: Reply, streamed: bool) -> String {
    let call = json!({"id": "1", "type": "function", "function": {"name": "wait", "arguments": "{}"}});
    let answer = json!({"choices": [{"message": {"tool_calls": [call]}}]}).to_string();
    server.will_say(&[Reply::new(200, BTreeMap::new(), answer), fault]);
    let agent = Agent::<()>::builder(model.clone()).tools(tools![wait]).build().expect("an agent");
    let (record, events) = (RecordedHistory::new(), Arc::new(Mutex::new(String::new())));
    let told = events.clone();
    let run = agent.run("Go.").record_into(&record).on_event(move |event| {
        told.lock().expect("a lock").push_str(&format!("{event:?}"));
    });
    let mut seen = format!("{agent:?} {run:?}");
    let mut see = |what: &dyn Debug| seen.push_str(&format!(" {what:?}"));
    match if streamed { run.stream().finish().await } else { run.await } {
        Ok(result) => see(&(&result, result.history().to_json(), result.steps())),
        Err(error) => see(&(said_by(&error), error.request_id(), error.history().map(|history| history.to_json()))),
    }
    see(&(record.history(), record.history().to_json(), events.lock().expect("a lock")));
    seen
}

#[test]
fn keys_are_never_shown() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let server = runtime.block_on(Server::start()).expect("a server");
    let world = keys().prop_flat_map(|key| (Just(key.clone()), prop::collection::vec(faults(key), 24)));
    let config = ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |((key, faults) in world)| {
        // Half a key is too much.
        let half = &key[..key.len() / 2];
        let builder = OpenAiChatModel::builder("gpt-5.2")
            .api_key(&key)
            .base_url(format!("{}/v1?key={key}", server.url()))
            .settings(ModelSettings::new().max_retries(0));
        let model = builder.clone().build().expect("a model");
        let shown = format!("{builder:?} {model:?}");
        prop_assert!(!shown.contains(half), "{key} is in: {shown}");
        for (fault, streamed) in faults.into_iter().flat_map(|fault| [(fault.clone(), false), (fault, true)]) {
            let shown = runtime.block_on(seen(&model, &server, fault, streamed));
            prop_assert!(!shown.contains(half), "{key} is in: {shown}");
            let sent: Vec<_> = server.was_asked().iter().map(|asked| asked.headers["authorization"].join(",")).collect();
            prop_assert_eq!(sent, vec![format!("Bearer {key}"); 2]);
        }
    });
}
