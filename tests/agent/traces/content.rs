//! What conversations hold is in no span, unless it is asked for.

use serde_json::json;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, ApprovalRequired, ModelRetry, ModelSettings, RunContext, ToolDefinition};

use super::collector::Collector;
use crate::support::{calls, done, script, tool};

const CONTENT: [&str; 6] = [
    "gen_ai.system_instructions",
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.tool.definitions",
    "gen_ai.tool.call.arguments",
    "gen_ai.tool.call.result",
];

/// An agent whose every text is a secret.
fn secretive() -> toolwright::AgentBuilder<(), String> {
    let call = ToolCallPart::new("look", json!({ "where": "secret place" })).with_id("1");
    let definition = ToolDefinition::new("look").with_description("Look in the secret places.");
    let look = toolwright::RawTool::new(definition, |_: RunContext<()>, _| async {
        Ok::<_, toolwright::Error>(json!({"found": "secret thing"}))
    });
    let headers = vec![("authorization".to_owned(), "Bearer secret key".to_owned())];
    let body = json!({"key": "secret key"}).as_object().expect("object").clone();
    Agent::<()>::builder(script(vec![
        ModelResponse::new(vec![ResponsePart::ToolCall(call)]),
        ModelResponse::text("It is a secret answer."),
    ]))
    .name("helper")
    .instructions("Keep the secret rules.")
    .settings(ModelSettings::new().extra_headers(headers).extra_body(body))
    .tool(look)
}

#[tokio::test]
async fn no_content_is_recorded_unless_asked_for() {
    let spans = Collector::new();
    secretive().build().expect("agent").run("My secret wish.").await.expect("run");
    let everything = spans.everything();
    assert!(!everything.contains("secret"), "{everything}");
    for span in spans.spans() {
        for field in CONTENT {
            assert_eq!(span.fields.get(field), None);
        }
    }
}

#[tokio::test]
async fn content_is_recorded_as_the_conventions_say_but_never_keys() {
    let spans = Collector::new();
    secretive().trace_content(true).build().expect("agent").run("My secret wish.").await.expect("run");
    assert!(!spans.everything().contains("secret key"), "{}", spans.everything());
    let all = spans.spans();
    let (first, second) = (&all[1].fields, &all[3].fields);
    assert_eq!(
        first.json("gen_ai.system_instructions"),
        json!([{"type": "text", "content": "Keep the secret rules."}])
    );
    let definitions = first.json("gen_ai.tool.definitions");
    assert_eq!(definitions[0]["type"], "function");
    assert_eq!(definitions[0]["name"], "look");
    assert_eq!(definitions[0]["description"], "Look in the secret places.");
    assert_eq!(definitions[0]["parameters"]["type"], "object");
    let asked = json!({"role": "user", "parts": [{"type": "text", "content": "My secret wish."}]});
    let call = json!({"type": "tool_call", "id": "1", "name": "look", "arguments": {"where": "secret place"}});
    let answer = json!({
        "type": "tool_call_response", "id": "1", "name": "look", "response": {"found": "secret thing"}
    });
    assert_eq!(first.json("gen_ai.input.messages"), json!([asked]));
    assert_eq!(first.json("gen_ai.output.messages"), json!([{"role": "assistant", "parts": [call]}]));
    assert_eq!(
        second.json("gen_ai.input.messages"),
        json!([asked, {"role": "assistant", "parts": [call]}, {"role": "tool", "parts": [answer]}])
    );
    assert_eq!(
        second.json("gen_ai.output.messages"),
        json!([{"role": "assistant", "parts": [{"type": "text", "content": "It is a secret answer."}]}])
    );
    let called = &all[2].fields;
    assert_eq!(called.get("gen_ai.tool.call.arguments"), Some(r#"{"where":"secret place"}"#));
    assert_eq!(called.get("gen_ai.tool.call.result"), Some(r#"{"found":"secret thing"}"#));
}

#[tokio::test]
async fn a_run_can_say_otherwise_than_its_agent() {
    for (agent, run, shown) in [(true, false, false), (false, true, true)] {
        let spans = Collector::new();
        secretive().trace_content(agent).build().expect("agent").run("Go.").trace_content(run).await.expect("run");
        assert_eq!(spans.everything().contains("secret answer"), shown);
    }
}

#[tokio::test]
async fn what_a_retry_and_a_deferral_say_is_content() {
    let spans = Collector::new();
    let picky = tool("picky", |_: RunContext<()>| async { Err(ModelRetry::new("Not like that.").into()) });
    let asks = tool("asks", |_: RunContext<()>| async {
        Err(ApprovalRequired::with_metadata(json!({"why": "costs money"})).into())
    });
    let agent = Agent::<()>::builder(script(vec![calls(&[("picky", "1"), ("asks", "2")]), done()]))
        .tools([picky, asks])
        .trace_content(true)
        .allow_deferred()
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    let picky = spans.span("execute_tool picky");
    assert_eq!(picky.fields.get("gen_ai.tool.call.result"), Some("Not like that."));
    assert_eq!(picky.fields.get("otel.status_description"), Some("Not like that."));
    assert_eq!(picky.events[0].get("exception.message"), Some("Not like that."));
    let asks = spans.span("execute_tool asks").fields;
    assert_eq!(asks.json("toolwright.tool.deferral.metadata"), json!({"why": "costs money"}));
}

#[tokio::test]
async fn arguments_that_are_no_json_stay_as_they_are() {
    let spans = Collector::new();
    let broken = toolwright::message::Arguments::from_text("{\"a\": ");
    let call = ResponsePart::ToolCall(ToolCallPart::new("look", broken).with_id("1"));
    let look = tool("look", |_: RunContext<()>| async { Ok(json!(1)) });
    let agent = Agent::<()>::builder(script(vec![ModelResponse::new(vec![call]), done()]))
        .tool(look)
        .trace_content(true)
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    let span = spans.span("execute_tool look").fields;
    assert_eq!(span.get("gen_ai.tool.call.arguments"), Some("{\"a\": "));
    assert!(span.get("gen_ai.tool.call.result").is_some_and(|result| result.contains("json_invalid")), "{span:?}");
}

#[tokio::test]
async fn nothing_is_said_of_tools_that_the_model_is_not_told_of() {
    use toolwright::{FunctionToolset, ToolsetExt};
    let spans = Collector::new();
    let secret = tool("secret", |_: RunContext<()>| async { Ok(json!(1)) });
    let agent = Agent::<()>::builder(FunctionModel::new(|_: &ModelInput| done()))
        .toolset(FunctionToolset::new().with_tools([secret]).defer_loading(None))
        .trace_content(true)
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    assert!(!spans.everything().contains("secret"), "{}", spans.everything());
}
