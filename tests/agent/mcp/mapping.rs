//! What a server says, and what models are told of it.

use serde_json::{Value, json};
use toolwright::mcp::{McpLimits, McpToolset, ToolErrorBehavior};
use toolwright::message::{File, Outcome, ToolContent, ToolContentItem};
use toolwright::{RunContext, ToolDefinition, Toolset};
use toolwright_tests::mcp::{pipe, server, text, tool};

use super::answer;
use crate::support::said;

/// The definitions of a server's tools.
async fn definitions(toolset: McpToolset<()>) -> Vec<ToolDefinition> {
    let tools = toolset.tools(&RunContext::detached(())).await.expect("tools");
    tools.iter().map(|tool| tool.definition().clone()).collect()
}

#[tokio::test]
async fn a_tool_is_told_of_with_all_that_its_server_says_of_it() {
    let listed = json!([{
        "name": "sum", "title": "Sum", "description": "Adds.",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}},
        "annotations": {"readOnlyHint": true, "newHint": 1}, "_meta": {"team": "a"},
    }]);
    let toolset = McpToolset::pipe(server(listed, |_, _| text(""))).with_id("math");
    let definitions = definitions(toolset).await;
    let [sum] = definitions.as_slice() else { panic!("{definitions:?}") };
    assert_eq!((sum.name(), sum.description(), sum.toolset_id()), ("sum", Some("Adds."), Some("math")));
    assert_eq!(sum.parameters()["properties"]["a"], json!({"type": "integer"}));
    assert_eq!(sum.return_schema().expect("a schema")["properties"]["sum"], json!({"type": "integer"}));
    let metadata = Value::Object(sum.metadata().expect("metadata").clone());
    assert_eq!(metadata["title"], "Sum");
    assert_eq!(metadata["annotations"]["readOnlyHint"], true);
    assert_eq!(metadata["_meta"], json!({"team": "a"}));
}

#[tokio::test]
async fn schemas_that_lie_take_any_object() {
    let deep = (0..100).fold(json!({}), |schema, _| json!({"items": schema}));
    let listed: Vec<_> = [
        json!({"type": "string"}),
        json!("no schema"),
        json!({"type": "object", "properties": [1]}),
        json!({"type": "object", "properties": {"deep": deep}}),
        json!({"type": "object", "properties": {"long": {"description": "x".repeat(70_000)}}}),
    ]
    .into_iter()
    .enumerate()
    .map(|(place, schema)| json!({"name": format!("t{place}"), "inputSchema": schema}))
    .chain([json!({"name": "none"})])
    .collect();
    let count = listed.len();
    let definitions = definitions(McpToolset::pipe(server(json!(listed), |_, _| text("")))).await;
    assert_eq!(definitions.len(), count);
    for definition in definitions {
        assert_eq!(definition.parameters(), &json!({"type": "object", "properties": {}}), "{}", definition.name());
    }
}

#[tokio::test]
async fn odd_names_are_mapped_and_the_server_is_asked_by_its_own() {
    let odd = ["", "two words", "line\nbreak", "dots.and/slashes", "dots.and/slashes"];
    let listed = json!(odd.map(|name| json!({"name": name, "inputSchema": {"type": "object"}})));
    let toolset = McpToolset::<()>::pipe(server(listed, |name, _| text(name)));
    let names: Vec<_> = definitions(toolset.clone()).await.iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names.len(), 4, "of two with one name there is the first: {names:?}");
    assert!(names.iter().all(|name| !name.is_empty() && !name.contains(char::is_whitespace)), "{names:?}");
    assert_eq!(names[3], "dots.and/slashes");
    assert_eq!(said(&answer(toolset, &names[1], json!({})).await.content), "two words");
}

#[tokio::test]
async fn what_is_too_long_is_cut_and_too_many_tools_are_refused() {
    let listed = json!([{"name": "t", "description": "x".repeat(100)}, tool("u")]);
    let cut =
        McpToolset::pipe(server(listed.clone(), |_, _| text(""))).with_limits(McpLimits::new().description_chars(10));
    let definitions = definitions(cut).await;
    assert_eq!(definitions[0].description(), Some(format!("{}…", "x".repeat(10)).as_str()));
    let most =
        McpToolset::<()>::pipe(server(listed, |_, _| text(""))).with_id("s").with_limits(McpLimits::new().tools(1));
    let error = most.tools(&RunContext::detached(())).await.expect_err("too many");
    assert_eq!(
        error.to_string(),
        "the MCP server `s` has not listed its tools: it lists more than 1 tools; raise `McpLimits::tools`"
    );
}

#[tokio::test]
async fn lists_come_in_pages_and_never_in_circles() {
    for (last, ends) in [(json!(null), true), (json!("1"), false)] {
        let (client, mut peer) = pipe();
        tokio::spawn(async move {
            peer.shake_hands().await;
            for (name, next) in [("a", json!("1")), ("b", last)] {
                let request = peer.hear_request("tools/list").await.expect("a request");
                peer.answer(&request, json!({"tools": [tool(name)], "nextCursor": next})).await;
            }
            peer.hear().await
        });
        let listed = McpToolset::<()>::pipe(client).tools(&RunContext::detached(())).await;
        match listed {
            Ok(tools) => assert!(ends && tools.len() == 2),
            Err(error) => assert!(!ends && error.to_string().contains("in a circle"), "{error}"),
        }
    }
}

#[tokio::test]
async fn a_list_without_end_is_given_up() {
    let (client, mut peer) = pipe();
    tokio::spawn(async move {
        peer.shake_hands().await;
        for next in ["1", "2"].into_iter().cycle() {
            let Some(request) = peer.hear_request("tools/list").await else { break };
            peer.answer(&request, json!({"tools": [], "nextCursor": next})).await;
        }
    });
    let listed = McpToolset::<()>::pipe(client).tools(&RunContext::detached(())).await;
    let error = listed.expect_err("a list without end");
    assert!(error.to_string().contains("its list of tools has more than 1000 pages"), "{error}");
}

#[tokio::test]
async fn a_tool_that_cannot_be_read_does_not_hide_the_others() {
    let listed = json!([{"name": 1}, {"name": "bad", "inputSchema": 7, "annotations": "none"}, tool("good")]);
    let definitions = definitions(McpToolset::pipe(server(listed, |_, _| text("")))).await;
    let names: Vec<_> = definitions.iter().map(ToolDefinition::name).collect();
    assert_eq!(names, ["bad", "good"]);
}

/// What a call comes to whose server gives this result.
async fn result(result: Value) -> ToolContent {
    let toolset = McpToolset::pipe(server(json!([tool("t")]), move |_, _| result.clone()));
    let part = answer(toolset, "t", json!({})).await;
    assert_eq!(part.outcome, Outcome::Success);
    part.content
}

#[tokio::test]
async fn results_keep_what_they_are() {
    let png = json!({"type": "image", "data": "cG5n", "mimeType": "image/png"});
    assert_eq!(result(text("hello")).await, ToolContent::text("hello"));
    assert_eq!(result(json!({"content": []})).await.to_json().text(), "null");
    assert_eq!(result(json!({})).await.to_json().text(), "null");
    let two = json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]});
    assert_eq!(result(two).await.to_json().text(), r#"["a","b"]"#);
    let structured = json!({"content": [{"type": "text", "text": "{\"a\":1}"}], "structuredContent": {"a": 1}});
    assert_eq!(result(structured).await.to_json().text(), r#"{"a":1}"#);
    let ToolContent::File(File::Binary(file)) = result(json!({"content": [png]})).await else { panic!("no file") };
    assert_eq!((file.data.as_slice(), file.media_type.as_str()), (b"png".as_slice(), "image/png"));
    let sound = json!({"type": "audio", "data": "bXAz", "mimeType": "audio/mp3"});
    let blob = json!({"type": "resource", "resource": {"uri": "x:y", "blob": "cGRm", "mimeType": "application/pdf"}});
    let mixed = json!({"content": [{"type": "text", "text": "see"}, png, sound, blob]});
    let ToolContent::List(items) = result(mixed).await else { panic!("no list") };
    let types: Vec<_> = items
        .iter()
        .map(|item| match item {
            ToolContentItem::Json(json) => json.text(),
            ToolContentItem::File(file) => file.media_type(),
            other => panic!("an unknown item: {other:?}"),
        })
        .collect();
    assert_eq!(types, [r#""see""#, "image/png", "audio/mp3", "application/pdf"]);
    let both = json!({"content": [{"type": "text", "text": "7"}, png], "structuredContent": {"n": 7}});
    let ToolContent::List(items) = result(both).await else { panic!("no list") };
    assert!(
        matches!(&items[..], [ToolContentItem::Json(json), ToolContentItem::File(_)] if json.text() == r#"{"n":7}"#)
    );
}

#[tokio::test]
async fn nothing_structured_leaves_the_texts() {
    let null = json!({"content": [{"type": "text", "text": "hello"}], "structuredContent": null});
    assert_eq!(result(null).await, ToolContent::text("hello"));
    let strange = json!({"content": [{"type": "hologram"}, {"type": "text", "text": "a"}], "structuredContent": null});
    assert_eq!(result(strange).await.to_json().text(), r#"[{"type":"hologram"},"a"]"#);
    assert_eq!(result(json!({"structuredContent": null})).await.to_json().text(), "null");
    let failing = server(
        json!([tool("t")]),
        |_, _| json!({"content": [{"type": "text", "text": "no disk"}], "structuredContent": null, "isError": true}),
    );
    assert_eq!(said(&answer(McpToolset::pipe(failing), "t", json!({})).await.content), "no disk");
}

#[tokio::test]
async fn resources_are_read_and_links_are_not() {
    let resource = json!({"content": [{"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}}]});
    assert_eq!(result(resource).await, ToolContent::text("inside"));
    let link = json!({"content": [{"type": "resource_link", "uri": "https://a/b", "name": "b"}]});
    assert_eq!(result(link).await.to_json().text(), r#"{"type":"resource_link","uri":"https://a/b","name":"b"}"#);
}

#[tokio::test]
async fn content_that_nobody_knows_is_given_as_it_is() {
    let strange = json!({"content": [{"type": "hologram", "data": 1}, {"type": "text", "text": "a"}]});
    assert_eq!(result(strange).await.to_json().text(), r#"[{"type":"hologram","data":1},"a"]"#);
    let broken = json!({"content": [{"type": "image", "data": "%", "mimeType": "image/png"}]});
    assert_eq!(result(broken).await, ToolContent::text("[a file that cannot be read]"));
}

#[tokio::test]
async fn the_metadata_of_a_result_stays_with_it() {
    let toolset = McpToolset::pipe(server(json!([tool("t")]), |_, _| json!({"content": [], "_meta": {"trace": 7}})));
    let part = answer(toolset, "t", json!({})).await;
    assert_eq!(part.metadata.expect("metadata").text(), r#"{"_meta":{"trace":7}}"#);
}

#[tokio::test]
async fn an_error_is_a_retry_or_a_failure_as_the_application_says() {
    let failing = || {
        server(json!([tool("t")]), |_, _| json!({"content": [{"type": "text", "text": "no disk"}], "isError": true}))
    };
    for (behavior, outcome) in
        [(ToolErrorBehavior::Retry, Outcome::Retried), (ToolErrorBehavior::Fail, Outcome::Failed)]
    {
        let part = answer(McpToolset::pipe(failing()).with_tool_error_behavior(behavior), "t", json!({})).await;
        assert_eq!((part.outcome, said(&part.content).as_str()), (outcome, "no disk"));
    }
}
