//! Servers that are killed in the middle of a call: the call has failed, and the next one finds a new server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright::mcp::{McpCommand, McpToolset};
use toolwright::message::Outcome;
use toolwright::{Agent, RunContext, ToolDefinition};

use super::{McpServers, answers, caller, directory, returns, said, time_server, with_pid};

fn signal(pid: &Path, signal: &str) {
    let pid = fs::read_to_string(pid).expect("the server has started");
    let killed = Command::new("kill").args([signal, pid.trim()]).status().expect("a shell's tool");
    assert!(killed.success(), "kill {signal} {pid}");
}

/// Lets a server stand still, calls it, kills it, and calls it again in the same run; and in another run once more.
async fn dies(server: impl FnOnce(&Path) -> McpCommand, call: (&'static str, Value), expected: &str) {
    let dir = directory();
    let pid = dir.join("pid");
    let toolset = McpToolset::<()>::stdio(server(&pid)).with_id("mortal");
    let first = answers(toolset.clone(), vec![call.clone()]).await;
    assert!(said(&first[0]).contains(expected), "{}", said(&first[0]));

    let stopping = pid.clone();
    let agent = Agent::<()>::builder(caller(vec![call.clone(), call.clone()]))
        .toolset(toolset.clone())
        // The tools are listed by then: some servers are asked for them whenever a run begins.
        .prepare_tools(move |ctx: &RunContext<()>, tools: Vec<ToolDefinition>| {
            if ctx.run_step() == 1 {
                signal(&stopping, "-STOP");
                let killed = stopping.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(300));
                    signal(&killed, "-KILL");
                });
            }
            tools
        });
    let agent = agent.build().expect("an agent");
    let begun = Instant::now();
    let result = agent.run("Go.").await.expect("a run");
    assert!(begun.elapsed() < Duration::from_secs(30), "it took {:?}", begun.elapsed());
    let parts = returns(result.history());
    assert_eq!(parts[0].outcome, Outcome::Failed);
    let why = said(&parts[0]);
    assert!(why.contains("may or may not have run") && why.contains("signal: 9"), "{why}");
    assert!(said(&parts[1]).contains(expected), "{}", said(&parts[1]));

    signal(&pid, "-KILL");
    // What was written to a server before its death was noticed may have been read.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let third = answers(toolset, vec![call]).await;
    assert!(said(&third[0]).contains(expected), "{}", said(&third[0]));
    fs::remove_dir_all(dir).expect("the directory is there");
}

pub(crate) async fn everything_dies(servers: McpServers) {
    let server = |pid: &Path| with_pid(&servers.everything, pid).arg("stdio");
    dies(server, ("echo", json!({"message": "there"})), "Echo: there").await;
}

pub(crate) async fn files_die(servers: McpServers) {
    let dir: PathBuf = directory();
    fs::write(dir.join("a.txt"), "some words").expect("a file");
    let server = |pid: &Path| with_pid(&servers.files, pid).arg(&dir);
    dies(server, ("read_text_file", json!({"path": dir.join("a.txt")})), "some words").await;
    fs::remove_dir_all(dir).expect("the directory is there");
}

pub(crate) async fn memory_dies(servers: McpServers) {
    let dir = directory();
    let server = |pid: &Path| with_pid(&servers.memory, pid).env("MEMORY_FILE_PATH", dir.join("memory.json"));
    dies(server, ("read_graph", json!({})), "entities").await;
    fs::remove_dir_all(dir).expect("the directory is there");
}

pub(crate) async fn time_dies(_: McpServers) {
    let program = time_server().expect("the test is left out without it");
    let server = |pid: &Path| with_pid(&program, pid);
    dies(server, ("get_current_time", json!({"timezone": "UTC"})), "UTC").await;
}
