//! What tools of real servers come to.

use std::convert::Infallible;
use std::fs;
use std::sync::{Arc, Mutex};

use serde_json::{Map, json};
use toolwright::mcp::{Elicitation, ElicitationAnswer, McpCommand, McpToolset};
use toolwright::message::{File, ModelResponse, Outcome, ToolContent};
use toolwright::model::ModelInput;
use toolwright::{Agent, Event, ToolDefinition, ToolsetExt};

use super::{McpServers, answers, caller, directory, returns, said, time_server};

fn everything_over_stdio(servers: &McpServers) -> McpToolset<()> {
    McpToolset::stdio(McpCommand::new(&servers.everything).arg("stdio")).with_id("everything")
}

/// Texts, structured content, images, links, resources and progress.
pub(crate) async fn everything(servers: McpServers) {
    let calls = vec![
        ("x_echo", json!({"message": "hello"})),
        ("x_get-structured-content", json!({"location": "Chicago"})),
        ("x_get-tiny-image", json!({})),
        ("x_get-resource-links", json!({"count": 2})),
        ("x_get-resource-reference", json!({"resourceType": "Blob", "resourceId": 1})),
        ("x_get-sum", json!({"a": "one"})),
        ("x_trigger-long-running-operation", json!({"duration": 0.5, "steps": 4})),
    ];
    let told: Arc<Mutex<Vec<f64>>> = Arc::default();
    let tells = told.clone();
    let listener = move |event: &Event| {
        if let Event::ToolProgress { progress, total, .. } = event {
            assert_eq!(*total, Some(4.0));
            tells.lock().expect("a lock").push(*progress);
        }
    };
    let agent = Agent::<()>::builder(caller(calls)).toolset(everything_over_stdio(&servers).prefixed("x"));
    let result = agent.build().expect("an agent").run("Go.").on_event(listener).await.expect("a run");
    let parts = returns(result.history());
    assert_eq!(said(&parts[0]), "Echo: hello");
    let structured = parts[1].content.to_json().to_value();
    assert!(structured["temperature"].is_number() && structured["conditions"].is_string(), "{structured}");
    let image = parts[2].content.files().next().expect("an image");
    assert!(matches!(image, File::Binary(_)) && image.media_type() == "image/png", "{image:?}");
    let links = said(&parts[3]);
    assert_eq!(links.matches(r#""type":"resource_link""#).count(), 2, "{links}");
    assert!(matches!(&parts[4].content, ToolContent::List(items) if items.len() == 3), "{:?}", parts[4].content);
    assert_eq!(parts[5].outcome, Outcome::Retried, "{}", said(&parts[5]));
    assert!(said(&parts[6]).contains("completed"), "{}", said(&parts[6]));
    assert_eq!(*told.lock().expect("a lock"), [1.0, 2.0, 3.0, 4.0]);
    let weather = result.steps()[0].function_tools.iter().find(|tool| tool.name() == "x_get-structured-content");
    let weather = weather.expect("the tool");
    assert_eq!(weather.toolset_id(), Some("everything"));
    assert!(weather.return_schema().expect("a schema")["properties"]["temperature"].is_object());
    assert_eq!(weather.metadata().expect("metadata")["annotations"]["readOnlyHint"], true);
}

/// Tools that are there once the server knows that they can be used, and what they ask for.
pub(crate) async fn asks(servers: McpServers) {
    let elicited: Arc<Mutex<Vec<String>>> = Arc::default();
    let asked = elicited.clone();
    let toolset = everything_over_stdio(&servers)
        .on_elicitation(move |elicitation: Elicitation| {
            asked.lock().expect("a lock").push(elicitation.message);
            let name = Map::from_iter([("name".to_owned(), "Ada".into()), ("check".to_owned(), true.into())]);
            std::future::ready(Ok::<_, Infallible>(ElicitationAnswer::Accept(name)))
        })
        .on_sampling(|input: ModelInput| async move {
            Ok::<_, Infallible>(ModelResponse::text(format!("asked {} times", input.history.len())))
        });
    let calls = vec![
        ("echo", json!({"message": "first"})),
        ("trigger-elicitation-request", json!({})),
        ("trigger-sampling-request", json!({"prompt": "Hi."})),
    ];
    let parts = answers(toolset, calls).await;
    assert_eq!(elicited.lock().expect("a lock").len(), 1, "{parts:?}");
    assert!(said(&parts[1]).contains("Ada"), "{}", said(&parts[1]));
    assert!(said(&parts[2]).contains("asked 1 times"), "{}", said(&parts[2]));
}

/// The server tells of changed tools when it is told what we can do.
pub(crate) async fn grows(servers: McpServers) {
    let calls = vec![("echo", json!({"message": "a"})), ("echo", json!({"message": "b"}))];
    let toolset = everything_over_stdio(&servers)
        .on_elicitation(|_: Elicitation| async { Ok::<_, Infallible>(ElicitationAnswer::Decline) });
    let agent = Agent::<()>::builder(caller(calls)).toolset(toolset).build().expect("an agent");
    let result = agent.run("Go.").await.expect("a run");
    let names =
        |step: usize| -> Vec<_> { result.steps()[step].function_tools.iter().map(ToolDefinition::name).collect() };
    assert!(names(2).contains(&"trigger-elicitation-request"), "{:?}", names(2));
}

/// Files are written and read.
pub(crate) async fn files(servers: McpServers) {
    let dir = directory();
    let file = dir.join("a.txt");
    let toolset = McpToolset::stdio(McpCommand::new(&servers.files).arg(&dir));
    let calls = vec![
        ("write_file", json!({"path": file, "content": "some words"})),
        ("read_text_file", json!({"path": file})),
        ("read_text_file", json!({"path": "/etc/passwd"})),
    ];
    let parts = answers(toolset, calls).await;
    assert_eq!(fs::read_to_string(&file).expect("a file"), "some words");
    assert!(said(&parts[1]).contains("some words"), "{}", said(&parts[1]));
    assert_eq!(parts[2].outcome, Outcome::Retried, "{}", said(&parts[2]));
    fs::remove_dir_all(dir).expect("the directory is there");
}

/// What is remembered is found.
pub(crate) async fn memory(servers: McpServers) {
    let dir = directory();
    let toolset = McpToolset::stdio(McpCommand::new(&servers.memory).env("MEMORY_FILE_PATH", dir.join("memory.json")));
    let ada = json!({"name": "Ada", "entityType": "person", "observations": ["likes numbers"]});
    let calls = vec![("create_entities", json!({"entities": [ada]})), ("search_nodes", json!({"query": "numbers"}))];
    let parts = answers(toolset, calls).await;
    let found = parts[1].content.to_json().to_value();
    assert_eq!(found["entities"][0]["name"], "Ada", "{found}");
    fs::remove_dir_all(dir).expect("the directory is there");
}

/// The time is told, and errors are the server's words.
pub(crate) async fn time(_: McpServers) {
    let server = time_server().expect("the test is left out without it");
    let calls = vec![
        ("get_current_time", json!({"timezone": "Europe/Paris"})),
        ("get_current_time", json!({"timezone": "Moon/Sea"})),
        ("convert_time", json!({"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"})),
    ];
    let parts = answers(McpToolset::stdio(McpCommand::new(server)).with_max_retries(2), calls).await;
    assert!(said(&parts[0]).contains("Europe/Paris"), "{}", said(&parts[0]));
    assert_eq!(parts[1].outcome, Outcome::Retried);
    assert!(said(&parts[1]).contains("Moon/Sea"), "{}", said(&parts[1]));
    assert!(said(&parts[2]).contains("21:00"), "{}", said(&parts[2]));
}

/// Each run without a runtime has one of its own, and connects anew.
pub(crate) async fn runs_without_a_runtime(servers: McpServers) {
    let toolset = everything_over_stdio(&servers);
    let runs = move || {
        for message in ["a", "b"] {
            let model = caller(vec![("echo", json!({"message": message}))]);
            let agent = Agent::<()>::builder(model).toolset(toolset.clone()).build().expect("an agent");
            let result = agent.run("Go.").run_blocking().expect("a run");
            assert_eq!(said(&returns(result.history())[0]), format!("Echo: {message}"));
        }
    };
    let runs = std::thread::spawn(runs);
    tokio::task::spawn_blocking(|| runs.join()).await.expect("no panic").expect("both runs have ended");
}
