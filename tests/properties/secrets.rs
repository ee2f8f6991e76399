//! Invariant 7: whatever a server does with the key, nobody sees it.

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};
use toolwright::provider::openai::{OpenAiChatModel, OpenAiResponsesModel};
use toolwright::{Agent, Model, ModelSettings, RecordedHistory, tool, tools};
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
    let placed = (said, 0_usize..18).prop_map(|(said, place)| {
        let places: [Value; 18] = [
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
            json!({"output": said}),
            json!({"output": [{"type": "message", "content": said}]}),
            json!({"type": "error", "message": said}),
            json!({"type": "response.failed", "response": {"error": {"message": said}}}),
            json!({"type": "response.output_item.done", "item": said}),
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
async fn seen(model: impl Model, server: &Server, answer: &Value, fault: Reply, streamed: bool) -> String {
    server.will_say(&[Reply::new(200, BTreeMap::new(), answer.to_string()), fault]);
    let agent = Agent::<()>::builder(model).tools(tools![wait]).build().expect("an agent");
    let (record, events) = (RecordedHistory::new(), Arc::new(Mutex::new(String::new())));
    let told = events.clone();
    let run = agent.run("Go.").record_into(&record).on_event(move |event| {
        told.lock().expect("a lock").push_str(&format!("{event:?}"));
    });
    let mut seen = format!("{agent:?} {run:?}");
    let mut see = |what: &dyn Debug| seen.push_str(&format!(" {what:?}"));
    match if streamed { run.stream().finish().await } else { run.await } {
        Ok(result) => see(&(&result, result.history().to_json(), result.steps())),
        Err(error) => {
            see(&(said_by(&error), error.request_id(), error.code(), error.history().map(|history| history.to_json())))
        }
    }
    see(&(record.history(), record.history().to_json(), events.lock().expect("a lock")));
    seen
}

/// Checks a model of an API: `build` gives it for a key and a URL, and what its builder shows; `answer` calls the tool.
fn check<M: Model + Clone + Debug>(build: impl Fn(&str, String) -> (M, String), answer: &Value) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let server = runtime.block_on(Server::start()).expect("a server");
    let world = keys().prop_flat_map(|key| (Just(key.clone()), prop::collection::vec(faults(key), 24)));
    let config = ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |((key, faults) in world)| {
        // Half a key is too much.
        let half = &key[..key.len() / 2];
        let (model, builder) = build(&key, format!("{}/v1?key={key}", server.url()));
        let shown = format!("{builder} {model:?}");
        prop_assert!(!shown.contains(half), "{key} is in: {shown}");
        for (fault, streamed) in faults.into_iter().flat_map(|fault| [(fault.clone(), false), (fault, true)]) {
            let shown = runtime.block_on(seen(model.clone(), &server, answer, fault, streamed));
            prop_assert!(!shown.contains(half), "{key} is in: {shown}");
            let sent: Vec<_> = server.was_asked().iter().map(|asked| asked.headers["authorization"].join(",")).collect();
            prop_assert_eq!(sent, vec![format!("Bearer {key}"); 2]);
        }
    });
}

#[test]
fn keys_are_never_shown() {
    let call = json!({"id": "1", "type": "function", "function": {"name": "wait", "arguments": "{}"}});
    let build = |key: &str, url: String| {
        let settings = ModelSettings::new().max_retries(0);
        let builder = OpenAiChatModel::builder("gpt-5.2").api_key(key).base_url(url).settings(settings);
        (builder.clone().build().expect("a model"), format!("{builder:?}"))
    };
    check(build, &json!({"choices": [{"message": {"tool_calls": [call]}}]}));
}

#[test]
fn keys_are_never_shown_by_the_responses_api() {
    let call = json!({"type": "function_call", "id": "f", "call_id": "1", "name": "wait", "arguments": "{}"});
    let build = |key: &str, url: String| {
        let settings = ModelSettings::new().max_retries(0);
        let builder = OpenAiResponsesModel::builder("gpt-5.2").api_key(key).base_url(url).settings(settings);
        (builder.clone().build().expect("a model"), format!("{builder:?}"))
    };
    check(build, &json!({"output": [call]}));
}
