//! What can be done to any tool can be done to a server's.

use serde_json::{Value, json};
use toolwright::capability::PrefixTools;
use toolwright::mcp::{McpConfig, McpToolset};
use toolwright::message::{Message, Outcome};
use toolwright::model::TestModel;
use toolwright::{Agent, MaybeDeferred, RunContext, ToolDefinition, ToolSearch, Toolset, ToolsetExt, tool_kind};
use toolwright_tests::mcp::{pipe, server, text, tool};

use super::{call, run};
use crate::support::{done, returns, said, script};

/// Looks something up.
#[tool_kind("tests.lookup", args = Value, content = String)]
struct Lookup;

/// A server with two tools, one of which only reads.
fn two() -> McpToolset<()> {
    let read = json!({"name": "read", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
    McpToolset::pipe(server(json!([read, tool("write")]), |name, args| text(&format!("{name} {args}")))).with_id("two")
}

#[tokio::test]
async fn hooks_edit_them_and_leave_them_out() {
    let hook = |_: &RunContext<()>, tools: Vec<ToolDefinition>| -> Vec<ToolDefinition> {
        let reads =
            |tool: &ToolDefinition| tool.metadata().is_some_and(|data| data["annotations"]["readOnlyHint"] == true);
        tools.into_iter().filter(reads).map(|tool| tool.with_description("Reads.")).collect()
    };
    let agent = Agent::<()>::builder(TestModel::new()).toolset(two()).prepare_tools(hook).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let first = &result.steps()[0];
    assert_eq!(first.function_tools.len(), 1);
    assert_eq!(first.function_tools[0].description(), Some("Reads."));
    assert_eq!(result.output(), r#"{"read":"read {}"}"#);
}

#[tokio::test]
async fn wrappers_filter_and_rename_them() {
    let kept = two().filtered(|_, tool| tool.name() == "write").prefixed("files").renamed([("save", "files_write")]);
    let result = run(kept, "save", json!({"a": 1})).await;
    assert_eq!(said(&returns(result.history())[0].content), r#"write {"a":1}"#);
    assert_eq!(result.steps()[0].function_tools[0].toolset_id(), Some("two"));
}

#[tokio::test]
async fn they_are_hidden_until_they_are_searched() {
    let model = script(vec![call("search_tools", json!({"queries": ["write"]})), call("write", json!({})), done()]);
    let agent = Agent::<()>::builder(model).toolset(two().defer_loading(None)).tool_search(ToolSearch::keywords());
    let result = agent.build().expect("agent").run("Go.").await.expect("run");
    let hidden = |step: usize| result.steps()[step].hidden_tools.len();
    assert_eq!((hidden(0), hidden(1)), (2, 1));
    assert_eq!(said(&returns(result.history())[1].content), "write {}");
}

#[tokio::test]
async fn their_calls_wait_for_approval() {
    let guarded = two().approval_required(|_, tool, _| tool.name() == "write");
    let model = script(vec![call("write", json!({})), done()]);
    let agent = Agent::<()>::builder(model).toolset(guarded).allow_deferred().build().expect("agent");
    let paused = agent.run("Go.").await.expect("run");
    let history = paused.history().clone();
    let MaybeDeferred::Deferred(requests) = paused.into_output() else { panic!("it has not waited") };
    let results = requests.approve("1").expect("an approval");
    let result = agent.resume(history).results(results).await.expect("run");
    assert_eq!(said(&returns(result.history())[0].content), "write {}");
}

#[tokio::test]
async fn they_have_kinds() {
    let named = two().prepared(|_: &RunContext<()>, tools: Vec<ToolDefinition>| -> Vec<ToolDefinition> {
        tools.into_iter().map(|tool| tool.with_tool_kind("tests.lookup")).collect()
    });
    let result = run(named.filtered(|_, tool| tool.name() == "read"), "read", json!({"q": 1})).await;
    let part = returns(result.history()).remove(0);
    assert_eq!(part.typed::<Lookup>().expect("the kind").content(), r#"read {"q":1}"#);
}

#[tokio::test]
async fn two_servers_with_one_name_are_a_clash_that_prefixes_solve() {
    let agent = Agent::<()>::builder(TestModel::new()).toolset(two()).toolset(two()).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("a clash");
    assert!(error.to_string().contains("has a tool named `read`"), "{error}");
    let agent = Agent::<()>::builder(TestModel::new()).toolset(two().prefixed("a")).toolset(two().prefixed("b"));
    let result = agent.build().expect("agent").run("Go.").await.expect("run");
    let names: Vec<_> = result.steps()[0].function_tools.iter().map(ToolDefinition::name).collect();
    assert_eq!(names, ["a_read", "a_write", "b_read", "b_write"]);
}

#[tokio::test]
async fn instructions_come_with_the_capability_alone() {
    for with in [true, false] {
        let (client, mut peer) = pipe();
        tokio::spawn(async move {
            peer.shake_hands_as(json!({"instructions": "Ask before you write."})).await;
            peer.list(&json!([tool("t")])).await;
            peer.hear().await
        });
        let toolset = McpToolset::pipe(client).with_id("s");
        let agent = Agent::<()>::builder(script(vec![done()])).instructions("Be brief.");
        let agent = if with {
            agent.capability(PrefixTools::new("p", toolset.with_instructions()))
        } else {
            agent.toolset(toolset)
        };
        let result = agent.build().expect("agent").run("Go.").await.expect("run");
        let Some(Message::Request(request)) = result.history().iter().next() else { panic!("no request") };
        let expected = if with { "Be brief.\n\nAsk before you write." } else { "Be brief." };
        assert_eq!(request.instructions.as_deref(), Some(expected));
        assert_eq!(result.steps()[0].function_tools[0].name(), if with { "p_t" } else { "t" });
    }
}

#[tokio::test]
async fn retries_are_the_server_s_where_it_has_some() {
    let failing = server(json!([tool("t")]), |_, _| json!({"content": [], "isError": true}));
    let agent = Agent::<()>::builder(script(vec![call("t", json!({}))]))
        .toolset(McpToolset::pipe(failing).with_max_retries(3))
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("it never works");
    assert!(error.to_string().contains("exceeded max retries count of 3"), "{error}");
    let answers = returns(error.history().expect("a history"));
    assert!(answers.iter().all(|part| part.outcome == Outcome::Retried) && answers.len() == 3, "{}", answers.len());
}

#[test]
fn servers_are_read_from_the_usual_json() {
    let config = McpConfig::from_json(
        r#"{"mcpServers": {
            "files": {"command": "server", "args": ["${TOOLWRIGHT_NONE:-/data}"], "env": {"KEY": "very-secret"}, "x": 1},
            "web": {"type": "http", "url": "https://a/mcp?key=very-secret", "headers": {"X-Key": "very-secret"}},
            "off": {"command": "server", "disabled": true}
        }, "other": 1}"#,
    )
    .expect("a configuration");
    let names: Vec<_> = config.toolsets::<()>().map(|(name, _)| name).collect();
    assert_eq!(names, ["files", "web"]);
    let shown = format!("{config:?} {:?}", config.toolsets::<()>().collect::<Vec<_>>());
    assert!(!shown.contains("very-secret") && shown.contains("https://a") && !shown.contains("mcp?"), "{shown}");
    for (json, why) in [
        ("[]", "a JSON object of them under `mcpServers`"),
        (r#"{"mcpServers": {"a": {}}}"#, "`a` has neither a `command` nor a `url`"),
        (r#"{"mcpServers": {"a": {"command": "x", "url": "y"}}}"#, "leave out one of them"),
        (r#"{"mcpServers": {"a": {"command": 1}}}"#, "`a` cannot be read: `command` must be a string"),
        (r#"{"mcpServers": {"a": {"url": "y", "type": "sse"}}}"#, "which is not spoken"),
        (r#"{"mcpServers": {"a": {"command": "${TOOLWRIGHT_NONE}"}}}"#, "`TOOLWRIGHT_NONE`, which is not set"),
    ] {
        let error = McpConfig::from_json(json).expect_err(json);
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn what_stands_in_the_json_is_not_repeated_by_errors() {
    for (json, why) in [
        (r#"{"mcpServers": "hunter2"}"#, "under `mcpServers`; it is none from line 1"),
        (r#"{"mcpServers": {"a": "hunter2"}}"#, "`a` cannot be read"),
        (r#"{"mcpServers": {"a": {"env": "hunter2"}}}"#, "`a` cannot be read: `env` must be a map"),
        (r#"{"mcpServers": {"a": {"args": "hunter2, expected hunter2"}}}"#, "`args` must be a sequence"),
        (r#"{"mcpServers": {"a": {"headers": {"X-Key": ["hunter2"]}}}}"#, "`headers.X-Key` must be a string"),
        (r#"{"mcpServers": {"a": {"disabled": "hunter2"}}}"#, "`disabled` must be a boolean"),
    ] {
        let error = McpConfig::from_json(json).expect_err(json);
        assert!(error.to_string().contains(why), "{error}");
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
}

#[tokio::test]
async fn what_the_environment_put_into_the_json_is_not_repeated_by_errors() {
    let json = r#"{"mcpServers": {"a": {"command": "sh", "args": ["-c", "echo $0 is wrong >&2; exit 3", "${CARGO_MANIFEST_DIR}"]}}}"#;
    let config = McpConfig::from_json(json).expect("a configuration");
    let (_, toolset) = config.toolsets::<()>().next().expect("a server");
    let error = toolset.tools(&RunContext::detached(())).await.expect_err("it is none").to_string();
    assert!(error.contains("it said: [secret] is wrong"), "{error}");
}
