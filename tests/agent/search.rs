//! Tools that are hidden until they are found, revealed, or added.

use serde_json::{Value, json};
use toolwright::message::{ModelResponse, Outcome, ResponsePart, ToolCallPart};
use toolwright::tool::kind::KindDefinition;
use toolwright::{Agent, FunctionToolset, RunContext, Tool, ToolDefinition, ToolReturn, ToolSearch, ToolsetExt};

use crate::support::{calls, done, echo, returns, script, tool};

fn hidden(name: &'static str) -> Tool<()> {
    echo(name).map_definition(|definition| definition.with_defer_loading(true))
}

fn search(queries: &[&str], id: &str) -> ModelResponse {
    let call = ToolCallPart::new("search_tools", json!({"queries": queries})).with_id(id);
    ModelResponse::new(vec![ResponsePart::ToolCall(call)])
}

fn offered(result: &toolwright::RunResult<String>) -> Vec<Vec<String>> {
    let names = |tools: &[ToolDefinition]| tools.iter().map(|tool| tool.name().to_owned()).collect();
    result.steps().iter().map(|step| names(&step.function_tools)).collect()
}

#[tokio::test]
async fn a_tool_is_offered_once_it_is_found_and_the_report_says_what_is_hidden() {
    let model = script(vec![search(&["book"], "s"), calls(&[("book_flight", "b")]), done()]);
    let agent = Agent::<()>::builder(model)
        .tools([echo("open"), hidden("book_flight"), hidden("stock_price")])
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let expected = [vec!["open", "search_tools"], vec!["open", "book_flight", "search_tools"]];
    assert_eq!(offered(&result)[..2], expected);
    let hidden: Vec<_> = result.steps().iter().map(|step| step.hidden_tools.len()).collect();
    assert_eq!(hidden, [2, 1, 1]);
}

#[tokio::test]
async fn a_second_call_of_a_hidden_tool_is_charged() {
    let model = script(vec![calls(&[("far", "1")]), calls(&[("far", "2")]), calls(&[("far", "3")]), done()]);
    let agent = Agent::<()>::builder(model).tool(hidden("far")).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("it never searches");
    let attempts: Vec<_> = returns(error.history().expect("history"))
        .into_iter()
        .map(|part| part.retry.expect("a retry").attempt)
        .collect();
    assert_eq!(attempts, [None, Some(1)]);
}

#[tokio::test]
async fn a_custom_search_may_take_its_time_and_make_nothing_up() {
    let find =
        |_: RunContext<()>, _, _| async { Ok::<_, std::io::Error>(vec!["made_up".to_owned(), "far".to_owned()]) };
    let model = script(vec![search(&["x"], "s"), done()]);
    let agent = Agent::<()>::builder(model)
        .tool(hidden("far"))
        .tool_search(ToolSearch::custom_async(find))
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let found: Value = returns(result.history()).remove(0).content.read().expect("JSON");
    assert_eq!(found, json!({"discovered_tools": [{"name": "far"}]}));
}

#[tokio::test]
async fn a_tool_reveals_another_once() {
    let opener = |name: &'static str| -> Tool<()> {
        let definition = ToolDefinition::new(name).with_parameters(json!({"type": "object", "properties": {}}));
        toolwright::RawTool::new(definition, |_, _| async {
            Ok::<_, toolwright::error::BoxError>(ToolReturn::new(json!("open").into()).reveal(["far"]))
        })
        .into()
    };
    let model = script(vec![calls(&[("one", "1"), ("two", "2")]), calls(&[("far", "3")]), done()]);
    let agent =
        Agent::<()>::builder(model).tools([opener("one"), opener("two"), hidden("far")]).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(result.history().to_json().matches("tool-availability-delta").count(), 1);
    assert!(returns(result.history()).iter().all(|part| part.outcome == Outcome::Success));
}

#[tokio::test]
async fn a_tool_added_from_inside_a_tool_is_recorded_once_and_can_be_called() {
    let late = FunctionToolset::<()>::new();
    let handle = late.clone();
    let add = tool("add", move |_| {
        let added = handle.add(echo("late"));
        async move { Ok(json!(added.is_ok())) }
    });
    let model = script(vec![calls(&[("add", "1")]), calls(&[("late", "2"), ("add", "3")]), done()]);
    let agent = Agent::<()>::builder(model).tool(add).toolset(late).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(result.history().to_json().matches("tool-availability-delta").count(), 1);
    let contents: Vec<_> =
        returns(result.history()).into_iter().map(|part| part.content.to_json().text().to_owned()).collect();
    assert_eq!(contents, ["true", "\"late\"", "false"]);
}

#[tokio::test]
async fn a_context_knows_kinds_and_what_is_available() {
    KindDefinition::new("files.read").define().expect("a kind");
    let set = FunctionToolset::<()>::new()
        .with_tools([hidden("read").map_definition(|definition| definition.with_tool_kind("files.read"))])
        .prefixed("x");
    let look = tool("look", |ctx: RunContext<()>| async move {
        let read = ctx.tools().iter().find(|tool| tool.name() == "x_read").ok_or("no such tool")?;
        Ok(json!([ctx.tool_name_for_kind("files.read"), ctx.is_tool_available(read)]))
    });
    let agent = Agent::<()>::builder(script(vec![calls(&[("look", "1")]), done()])).tool(look).toolset(set).build();
    let result = agent.expect("agent").run("Go.").await.expect("run");
    assert_eq!(returns(result.history()).remove(0).content.to_json().text(), r#"["x_read",false]"#);
}

#[tokio::test]
async fn what_was_found_before_there_were_kinds_stays_found() {
    let stored = json!([
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Go."}]},
        {"kind": "response", "parts": [
            {"part_kind": "tool-call", "tool_name": "search_tools", "args": {"keywords": "far"}, "tool_call_id": "s"},
        ]},
        {"kind": "request", "parts": [
            {"part_kind": "tool-return", "tool_name": "search_tools", "content": "Found: far", "tool_call_id": "s",
                "metadata": {"discovered_tools": ["far"]}},
            {"part_kind": "tool-return", "tool_name": "search_tools", "content": "Mine", "tool_call_id": "t",
                "metadata": {"discovered_tools": 3}},
        ]},
        {"kind": "response", "parts": [{"part_kind": "text", "content": "Done."}]},
    ]);
    let history = toolwright::History::from_json(&stored.to_string()).expect("a history");
    let agent = Agent::<()>::builder(script(vec![done()])).tools([hidden("far"), hidden("farther")]).build();
    let result = agent.expect("agent").run("Go on.").history(history).await.expect("run");
    assert_eq!(offered(&result), [["far", "search_tools"]]);
}
