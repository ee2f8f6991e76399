//! A real server over streamable HTTP.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;
use toolwright::mcp::{McpHttp, McpToolset};
use toolwright::message::Outcome;
use toolwright::{Agent, Event};

use super::{McpServers, answers, caller, returns, said};

/// The server, while it runs.
struct Running {
    process: Child,
    port: u16,
}

impl Running {
    fn start(servers: &McpServers, port: Option<u16>) -> Self {
        let free = || TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
        let port = port.unwrap_or_else(|| free().expect("a free port on loopback").port());
        let mut command = Command::new(&servers.everything);
        command.arg("streamableHttp").env("PORT", port.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let running = Self { process: command.spawn().expect("the server"), port };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the server does not start");
            sleep(Duration::from_millis(50));
        }
        running
    }

    fn toolset(&self) -> McpToolset<()> {
        McpToolset::http(McpHttp::new(format!("http://127.0.0.1:{}/mcp", self.port)).bearer("unused-token"))
    }

    fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it is killed");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Where it was killed, there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Calls, structured content and progress over HTTP.
pub(crate) async fn http_calls(servers: McpServers) {
    let server = Running::start(&servers, None);
    let calls = vec![
        ("echo", json!({"message": "hello"})),
        ("get-structured-content", json!({"location": "Chicago"})),
        ("trigger-long-running-operation", json!({"duration": 0.4, "steps": 2})),
    ];
    let (tell, told) = std::sync::mpsc::channel();
    let listener = move |event: &Event| {
        if let Event::ToolProgress { progress, .. } = event {
            tell.send(*progress).expect("somebody asks");
        }
    };
    let agent = Agent::<()>::builder(caller(calls)).toolset(server.toolset()).build().expect("an agent");
    let parts = returns(agent.run("Go.").on_event(listener).await.expect("a run").history());
    assert_eq!(said(&parts[0]), "Echo: hello");
    assert!(parts[1].content.to_json().to_value()["temperature"].is_number());
    assert!(said(&parts[2]).contains("completed"), "{}", said(&parts[2]));
    drop(agent);
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [1.0, 2.0]);
}

/// The server is killed in the middle of a call, and started again.
pub(crate) async fn http_dies(servers: McpServers) {
    let mut server = Running::start(&servers, None);
    let toolset = server.toolset();
    let port = server.port;
    assert_eq!(said(&answers(toolset.clone(), vec![("echo", json!({"message": "a"}))]).await[0]), "Echo: a");
    let restarting = tokio::task::spawn_blocking(move || {
        sleep(Duration::from_millis(500));
        server.kill();
        Running::start(&servers, Some(port))
    });
    let long = ("trigger-long-running-operation", json!({"duration": 30, "steps": 3}));
    let begun = Instant::now();
    let failed = answers(toolset.clone(), vec![long]).await;
    assert!(begun.elapsed() < Duration::from_secs(30), "it took {:?}", begun.elapsed());
    assert_eq!(failed[0].outcome, Outcome::Failed, "{}", said(&failed[0]));
    assert!(said(&failed[0]).contains("may or may not have run"), "{}", said(&failed[0]));
    let _server = restarting.await.expect("it starts again");
    assert_eq!(said(&answers(toolset, vec![("echo", json!({"message": "b"}))]).await[0]), "Echo: b");
}

/// The server is started again between two calls of a run: it does not know the session any more.
pub(crate) async fn http_session_lost(servers: McpServers) {
    let mut server = Running::start(&servers, None);
    let toolset = server.toolset();
    assert_eq!(said(&answers(toolset.clone(), vec![("echo", json!({"message": "a"}))]).await[0]), "Echo: a");
    // Its connections are seen to be closed in the meantime: what was sent over one of them may have been read.
    let restarting = tokio::task::spawn_blocking(move || {
        server.kill();
        Running::start(&servers, Some(server.port))
    });
    let _server = restarting.await.expect("it starts again");
    assert_eq!(said(&answers(toolset, vec![("echo", json!({"message": "b"}))]).await[0]), "Echo: b");
}
