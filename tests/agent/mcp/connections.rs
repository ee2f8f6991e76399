//! When connections are made, kept, and made anew.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tokio::io::DuplexStream;
use toolwright::mcp::{McpCommand, McpToolset};
use toolwright::message::{Outcome, RequestPart};
use toolwright::{Agent, Event, RunContext, ToolDefinition, Toolset, ToolsetExt};
use toolwright_tests::mcp::{McpPeer, pipe, text, tool};

use super::{call, run};
use crate::support::{calls, done, returns, said, script};

/// A toolset at servers that do `serve`, one for each connection, with its number; and how often it was connected.
fn counted<F, Fut>(serve: F) -> (McpToolset<()>, Arc<AtomicUsize>)
where
    F: Fn(usize, McpPeer) -> Fut + Send + Sync + Clone + 'static,
    Fut: Future<Output = ()> + Send,
{
    let count: Arc<AtomicUsize> = Arc::default();
    let counter = count.clone();
    let connect = move || -> DuplexStream {
        let (client, peer) = pipe();
        let (serve, number) = (serve.clone(), counter.fetch_add(1, Ordering::Relaxed));
        tokio::spawn(async move { serve(number, peer).await });
        client
    };
    (McpToolset::connect_with(move || std::future::ready(Ok(connect()))), count)
}

async fn serves(number: usize, mut peer: McpPeer) {
    peer.serve(&json!([tool("t")]), |_, _| text(&format!("server {number}"))).await;
}

#[tokio::test]
async fn a_connection_is_made_when_it_is_needed_and_kept() {
    let (toolset, count) = counted(serves);
    let agent = Agent::<()>::builder(script(vec![call("t", json!({})), done(), call("t", json!({})), done()]));
    let agent = agent.toolset(toolset).build().expect("agent");
    assert_eq!(count.load(Ordering::Relaxed), 0);
    for _ in 0..2 {
        let result = agent.run("Go.").await.expect("run");
        assert_eq!(said(&returns(result.history())[0].content), "server 0");
    }
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn each_run_can_have_a_connection_of_its_own_which_ends_with_it() {
    let (ended, mut hears) = tokio::sync::mpsc::unbounded_channel();
    let (toolset, count) = counted(move |number, peer| {
        let ended = ended.clone();
        async move {
            serves(number, peer).await;
            let _ = ended.send(number);
        }
    });
    let agent = Agent::<()>::builder(script(vec![call("t", json!({})), done(), call("t", json!({})), done()]));
    let agent = agent.toolset(toolset.once_per_run()).build().expect("agent");
    for number in 0..2 {
        let result = agent.run("Go.").await.expect("run");
        assert_eq!(said(&returns(result.history())[0].content), format!("server {number}"));
        assert_eq!(tokio::time::timeout(Duration::from_secs(5), hears.recv()).await.expect("it ends"), Some(number));
    }
    assert_eq!(count.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn dropping_the_agent_ends_the_connection() {
    let (client, mut peer) = pipe();
    let served = tokio::spawn(async move { peer.serve(&json!([tool("t")]), |_, _| text("there")).await });
    run(McpToolset::pipe(client), "t", json!({})).await;
    tokio::time::timeout(Duration::from_secs(5), served).await.expect("it ends").expect("it has not panicked");
}

#[tokio::test]
async fn a_call_that_may_have_run_is_not_made_again_and_the_next_one_is_made_over_a_new_connection() {
    let heard: Arc<Mutex<Vec<usize>>> = Arc::default();
    let hears = heard.clone();
    let (toolset, count) = counted(move |number, mut peer| {
        let hears = hears.clone();
        async move {
            let tools = [vec![tool("t")], vec![tool("t"), tool("u")]];
            peer.shake_hands().await;
            while let Some(request) = peer.hear().await {
                match request["method"].as_str() {
                    Some("tools/list") => peer.answer(&request, json!({"tools": tools[number]})).await,
                    Some("tools/call") => {
                        hears.lock().expect("a lock").push(number);
                        if number == 0 {
                            return;
                        }
                        peer.answer(&request, text("there")).await;
                    }
                    _ => {}
                }
            }
        }
    });
    let model = script(vec![calls(&[("t", "1")]), calls(&[("t", "2")]), done()]);
    let agent = Agent::<()>::builder(model).toolset(toolset).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let outcomes: Vec<_> = returns(result.history()).iter().map(|part| part.outcome).collect();
    assert_eq!(outcomes, [Outcome::Failed, Outcome::Success]);
    assert_eq!(*heard.lock().expect("a lock"), [0, 1], "each call once");
    assert_eq!(count.load(Ordering::Relaxed), 2);
    let names =
        |step: usize| -> Vec<_> { result.steps()[step].function_tools.iter().map(ToolDefinition::name).collect() };
    assert_eq!((names(0), names(1), names(2)), (vec!["t"], vec!["t"], vec!["t", "u"]));
}

#[tokio::test]
async fn tools_that_a_server_adds_join_the_run() {
    let (client, mut peer) = pipe();
    tokio::spawn(async move {
        peer.shake_hands().await;
        peer.list(&json!([tool("grow")])).await;
        let request = peer.hear_request("tools/call").await.expect("a call");
        peer.notify("notifications/tools/list_changed", json!({})).await;
        peer.answer(&request, text("grown")).await;
        peer.list(&json!([tool("grow"), tool("new")])).await;
        let request = peer.hear_request("tools/call").await.expect("a call");
        peer.answer(&request, text("new it is")).await;
        peer.hear().await
    });
    let model = script(vec![calls(&[("x_grow", "1")]), calls(&[("x_new", "2")]), done()]);
    let agent = Agent::<()>::builder(model).toolset(McpToolset::pipe(client).prefixed("x")).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(said(&returns(result.history())[1].content), "new it is");
    let added: Vec<_> = result
        .history()
        .iter()
        .filter_map(|message| match message {
            toolwright::message::Message::Request(request) => Some(&request.parts),
            _ => None,
        })
        .flatten()
        .filter_map(|part| match part {
            RequestPart::ToolAvailabilityDelta(delta) => Some(delta.tools_added.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(added, [["x_new"]]);
}

#[tokio::test]
async fn dropping_a_run_tells_the_server() {
    let (client, mut peer) = pipe();
    let (called, is_called) = tokio::sync::oneshot::channel();
    let server = tokio::spawn(async move {
        peer.shake_hands().await;
        peer.list(&json!([tool("t")])).await;
        let request = peer.hear_request("tools/call").await.expect("a call");
        called.send(()).expect("somebody waits");
        let cancelled = peer.hear_request("notifications/cancelled").await.expect("it is told");
        assert_eq!(cancelled["params"]["requestId"], request["id"]);
    });
    let agent = Agent::<()>::builder(script(vec![call("t", json!({}))])).toolset(McpToolset::pipe(client));
    let agent = agent.build().expect("agent");
    tokio::select! {
        _ = agent.run("Go.") => panic!("it hangs"),
        _ = is_called => {}
    }
    tokio::time::timeout(Duration::from_secs(5), server).await.expect("it is told").expect("of that call");
}

#[tokio::test]
async fn progress_is_told_in_order_before_the_result() {
    let (client, mut peer) = pipe();
    tokio::spawn(async move {
        peer.shake_hands().await;
        peer.list(&json!([tool("t")])).await;
        let request = peer.hear_request("tools/call").await.expect("a call");
        let token = request["params"]["_meta"]["progressToken"].clone();
        for done in 1..=5 {
            let report =
                json!({"progressToken": token, "progress": done, "total": 5, "message": format!("part {done}")});
            peer.notify("notifications/progress", report).await;
        }
        peer.notify("notifications/progress", json!({"progressToken": 77, "progress": 1})).await;
        peer.answer(&request, text("there")).await;
        peer.hear().await
    });
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let tells = told.clone();
    let listener = move |event: &Event| match event {
        Event::ToolProgress { tool_name, tool_call_id, progress, total, message, .. } => {
            let line = format!("{tool_name:?} {tool_call_id:?} {progress}/{total:?} {message:?}");
            tells.lock().expect("a lock").push(line);
        }
        Event::FunctionToolResult { .. } => tells.lock().expect("a lock").push("result".to_owned()),
        _ => {}
    };
    let model = script(vec![call("x_t", json!({})), done()]);
    let agent = Agent::<()>::builder(model).toolset(McpToolset::pipe(client).prefixed("x")).build().expect("agent");
    agent.run("Go.").on_event(listener).await.expect("run");
    let told = told.lock().expect("a lock");
    assert_eq!(told.len(), 6, "{told:?}");
    assert_eq!(told[0], r#"Some("t") Some("1") 1/Some(5.0) Some("part 1")"#);
    assert!(told[4].contains("part 5") && told[5] == "result", "{told:?}");
}

#[tokio::test]
async fn calls_carry_what_the_context_gives_and_the_model_does_not_see() {
    let (client, mut peer) = pipe();
    let heard = peer.heard();
    tokio::spawn(async move { peer.serve(&json!([tool("t")]), |_, _| text("there")).await });
    let toolset = McpToolset::pipe(client).with_call_metadata(|ctx: &RunContext<()>| {
        Some(Map::from_iter([("user".to_owned(), Value::from(format!("of call {}", ctx.tool_call_id()?)))]))
    });
    run(toolset, "t", json!({"a": 1})).await;
    let heard = heard.lock().expect("a lock");
    let call = heard.iter().find(|message| message["method"] == "tools/call").expect("a call");
    assert_eq!(call["params"]["_meta"]["user"], "of call 1");
    assert_eq!(call["params"]["arguments"], json!({"a": 1}));
}

#[tokio::test]
async fn tools_are_listed_once_while_nothing_changes() {
    let (client, mut peer) = pipe();
    let heard = peer.heard();
    tokio::spawn(async move { peer.serve(&json!([tool("t")]), |_, _| text("there")).await });
    let model = script(vec![calls(&[("t", "1")]), calls(&[("t", "2")]), calls(&[("t", "3")]), done()]);
    let agent = Agent::<()>::builder(model).toolset(McpToolset::pipe(client)).build().expect("agent");
    agent.run("Go.").await.expect("run");
    let lists = heard.lock().expect("a lock").iter().filter(|message| message["method"] == "tools/list").count();
    assert_eq!(lists, 1);
}

#[tokio::test]
async fn a_server_that_does_not_tell_of_changes_is_asked_anew_by_each_run() {
    let (client, mut peer) = pipe();
    let heard = peer.heard();
    tokio::spawn(async move {
        peer.shake_hands_as(json!({"capabilities": {"tools": {}}})).await;
        let mut listed = vec![];
        while let Some(message) = peer.hear().await {
            match message["method"].as_str() {
                Some("tools/list") => {
                    listed.push(tool(&format!("t{}", listed.len())));
                    peer.answer(&message, json!({"tools": listed})).await;
                }
                Some("tools/call") => peer.answer(&message, text("there")).await,
                _ => {}
            }
        }
    });
    let model = script(vec![call("t0", json!({})), done(), call("t1", json!({})), done()]);
    let agent = Agent::<()>::builder(model).toolset(McpToolset::pipe(client)).build().expect("agent");
    for tools in 1..=2 {
        let result = agent.run("Go.").await.expect("run");
        let counts: Vec<_> = result.steps().iter().map(|step| step.function_tools.len()).collect();
        assert_eq!(counts, [tools, tools], "the same in the whole run");
    }
    let lists = heard.lock().expect("a lock").iter().filter(|message| message["method"] == "tools/list").count();
    assert_eq!(lists, 2);
}

#[tokio::test]
async fn a_server_that_says_nothing_any_more_is_replaced_for_the_next_call() {
    let (toolset, count) = counted(|number, mut peer| async move {
        if number > 0 {
            return serves(number, peer).await;
        }
        peer.shake_hands().await;
        peer.list(&json!([tool("t")])).await;
        peer.hear_request("nothing").await;
    });
    let model = script(vec![calls(&[("t", "1")]), calls(&[("t", "2")]), done()]);
    let toolset = toolset.with_call_timeout(Duration::from_millis(300));
    let agent = Agent::<()>::builder(model).toolset(toolset).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let outcomes: Vec<_> = returns(result.history()).iter().map(|part| part.outcome).collect();
    assert_eq!(outcomes, [Outcome::Failed, Outcome::Success]);
    assert_eq!(count.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_slow_server_is_kept_where_there_is_no_other_or_where_it_still_says_something() {
    let serve = |mut peer: McpPeer, says: bool| async move {
        peer.shake_hands().await;
        peer.list(&json!([tool("t")])).await;
        peer.hear_request("tools/call").await.expect("a call");
        if says {
            peer.notify("notifications/message", json!({"level": "info", "data": "still at it"})).await;
        }
        let request = peer.hear_request("tools/call").await.expect("another");
        peer.answer(&request, text("there")).await;
        peer.hear_request("nothing").await;
    };
    let (client, peer) = pipe();
    tokio::spawn(serve(peer, false));
    let (again, count) = counted(move |_, peer| serve(peer, true));
    for toolset in [McpToolset::pipe(client), again] {
        let model = script(vec![calls(&[("t", "1")]), calls(&[("t", "2")]), done()]);
        let toolset = toolset.with_call_timeout(Duration::from_millis(300));
        let agent = Agent::<()>::builder(model).toolset(toolset).build().expect("agent");
        let result = agent.run("Go.").await.expect("run");
        let outcomes: Vec<_> = returns(result.history()).iter().map(|part| part.outcome).collect();
        assert_eq!(outcomes, [Outcome::Failed, Outcome::Success]);
    }
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn connecting_counts_for_the_time_of_a_call() {
    let count = AtomicUsize::new(0);
    let connect = move || {
        let (client, mut peer) = pipe();
        let is_first = count.fetch_add(1, Ordering::Relaxed) == 0;
        tokio::spawn(async move {
            peer.shake_hands().await;
            peer.list(&json!([tool("t")])).await;
        });
        async move { if is_first { Ok(client) } else { std::future::pending().await } }
    };
    let toolset = McpToolset::connect_with(connect).with_call_timeout(Duration::from_millis(300));
    let model = script(vec![calls(&[("t", "1")]), calls(&[("t", "2")]), done()]);
    let agent = Agent::<()>::builder(model).toolset(toolset).build().expect("agent");
    let begun = Instant::now();
    let result = agent.run("Go.").await.expect("run");
    assert!(begun.elapsed() < Duration::from_secs(20), "it took {:?}", begun.elapsed());
    let said = said(&returns(result.history())[1].content);
    assert!(said.contains("has not run") && said.contains("within 0.3 seconds"), "{said}");
}

/// A server of a few lines of shell. What it starts leaves a mark after a second, if it still runs then.
#[cfg(unix)]
const SHELL: &str = r#"
(sleep 1; echo alive > "$MARK") > /dev/null 2>&1 < /dev/null &
answer() {
    read -r line
    printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$(printf %s "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')" "$1"
}
answer '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}'
read -r line
answer '{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}'
"#;

#[cfg(unix)]
#[tokio::test]
async fn what_a_server_has_started_ends_with_it() {
    for (number, ends) in ["read -r line", "exit 3"].into_iter().enumerate() {
        let mark = std::env::temp_dir().join(format!("toolwright-mark-{}-{number}", std::process::id()));
        let command = McpCommand::new("sh").args(["-c", &format!("{SHELL}{ends}")]).env("MARK", &mark);
        let toolset = McpToolset::<()>::stdio(command);
        let tools = toolset.tools(&RunContext::detached(())).await.expect("tools");
        assert_eq!(tools.len(), 1);
        drop((toolset, tools));
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let is_alive = std::fs::remove_file(&mark).is_ok();
        assert!(!is_alive, "{ends}: it has outlived its server");
    }
}
