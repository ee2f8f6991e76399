//! Which spans there are, and which is under which.

use std::time::Duration;

use serde_json::json;
use toolwright::error::BoxError;
use toolwright::message::{History, ModelRequest, ModelResponse, RequestPart, UserPromptPart};
use toolwright::model::FunctionModel;
use toolwright::{
    Agent, ApprovalRequired, DeferredToolResults, EndStrategy, ExternalToolset, FunctionToolset, ModelSettings,
    OutputSpec, OutputTool, RawTool, RunContext, ToolDefinition, ToolsetExt,
};

use super::collector::Collector;
use crate::support::{calls, done, echo, script, tool};

#[tokio::test]
async fn a_run_holds_its_requests_and_calls() {
    let spans = Collector::new();
    let mut first = calls(&[("look", "1")]);
    first.model_name = Some("script-2".to_owned());
    first.provider_response_id = Some("response 1".to_owned());
    first.finish_reason = Some(toolwright::message::FinishReason::ToolCall);
    first.usage.input_tokens = 10;
    first.usage.output_tokens = 3;
    first.usage.cache_read_tokens = 7;
    let mut last = done();
    last.usage.input_tokens = 20;
    let settings = ModelSettings::new().max_tokens(99).temperature(0.5).seed(7).stop_sequences(vec!["END".to_owned()]);
    let model = script(vec![first, last]).with_system("made up");
    let agent =
        Agent::<()>::builder(model).name("helper").settings(settings).tool(echo("look")).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(spans.tree(), "invoke_agent helper\n  chat function\n  execute_tool look\n  chat function\n");
    let run = spans.span("invoke_agent helper").fields;
    for (field, value) in [
        ("otel.kind", "internal"),
        ("gen_ai.operation.name", "invoke_agent"),
        ("gen_ai.provider.name", "made up"),
        ("gen_ai.request.model", "function"),
        ("gen_ai.agent.name", "helper"),
        ("gen_ai.agent.call.id", result.run_id()),
        ("gen_ai.conversation.id", result.run_id()),
        ("gen_ai.usage.input_tokens", "30"),
        ("gen_ai.usage.output_tokens", "3"),
        ("gen_ai.usage.cache_read.input_tokens", "7"),
    ] {
        assert_eq!(run.get(field), Some(value), "{field}");
    }
    let chat = &spans.spans()[1].fields;
    for (field, value) in [
        ("otel.kind", "client"),
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "made up"),
        ("gen_ai.agent.name", "helper"),
        ("gen_ai.conversation.id", result.run_id()),
        ("gen_ai.request.model", "function"),
        ("gen_ai.request.max_tokens", "99"),
        ("gen_ai.request.temperature", "0.5"),
        ("gen_ai.request.seed", "7"),
        ("gen_ai.request.stop_sequences", r#"["END"]"#),
        ("gen_ai.response.model", "script-2"),
        ("gen_ai.response.id", "response 1"),
        ("gen_ai.response.finish_reasons", r#"["tool_call"]"#),
        ("gen_ai.usage.input_tokens", "10"),
        ("gen_ai.usage.output_tokens", "3"),
        ("gen_ai.usage.cache_read.input_tokens", "7"),
    ] {
        assert_eq!(chat.get(field), Some(value), "{field}");
    }
    for absent in ["gen_ai.request.top_p", "gen_ai.request.stream", "gen_ai.usage.cache_creation.input_tokens"] {
        assert_eq!(chat.get(absent), None, "{absent}");
    }
    let call = spans.span("execute_tool look").fields;
    for (field, value) in [
        ("otel.kind", "internal"),
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.agent.name", "helper"),
        ("gen_ai.agent.call.id", result.run_id()),
        ("gen_ai.conversation.id", result.run_id()),
        ("gen_ai.tool.name", "look"),
        ("gen_ai.tool.type", "function"),
        ("gen_ai.tool.call.id", "1"),
    ] {
        assert_eq!(call.get(field), Some(value), "{field}");
    }
    assert_eq!(call.get("otel.status_code"), None, "success is not told");
}

#[tokio::test]
async fn an_agent_without_a_name_has_a_span_without_one() {
    let spans = Collector::new();
    Agent::<()>::builder(script(vec![done()])).build().expect("agent").run("Go.").await.expect("run");
    let run = &spans.spans()[0].fields;
    assert_eq!((run.get("otel.name"), run.get("gen_ai.agent.name")), (None, None), "the span's own name is left");
}

#[tokio::test]
async fn a_conversation_keeps_its_id_over_runs() {
    let spans = Collector::new();
    let agent = Agent::<()>::builder(FunctionModel::new(|_| done())).build().expect("agent");
    let first = agent.run("Go.").await.expect("run");
    let second = agent.run("Go on.").history(first.history().clone()).await.expect("run");
    assert_ne!(first.run_id(), second.run_id());
    let mut named = ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new("Hello."))]);
    named.conversation_id = Some("ours".to_owned());
    let mut stored = History::new();
    stored.push(named);
    stored.push(ModelResponse::text("Hello."));
    agent.run("Go on.").history(stored).await.expect("run");
    let spans = spans.spans();
    let conversations: Vec<_> = spans.iter().filter_map(|span| span.fields.get("gen_ai.conversation.id")).collect();
    let first = first.run_id();
    assert_eq!(conversations, [first, first, first, first, "ours", "ours"]);
}

#[tokio::test(start_paused = true)]
async fn calls_side_by_side_are_all_under_the_run() {
    let spans = Collector::new();
    let slow = |name: &'static str, seconds| {
        tool(name, move |_: RunContext<()>| async move {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            tracing::info_span!("inside", otel.name = format!("inside {name}")).in_scope(|| ());
            Ok(json!(name))
        })
    };
    let agent = Agent::<()>::builder(script(vec![calls(&[("a", "1"), ("b", "2"), ("c", "3")]), done()]))
        .name("helper")
        .tools([slow("a", 3), slow("b", 1), slow("c", 2)])
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    assert_eq!(
        spans.tree(),
        "invoke_agent helper\n  chat function\n  execute_tool a\n    inside a\n  execute_tool b\n    inside b\n  \
         execute_tool c\n    inside c\n  chat function\n"
    );
}

#[tokio::test]
async fn an_agent_inside_a_tool_is_under_the_call() {
    let spans = Collector::new();
    let inner = Agent::<()>::builder(script(vec![calls(&[("deep", "9")]), done()]))
        .name("inner")
        .tool(echo("deep"))
        .build()
        .expect("agent");
    let delegate = tool("delegate", move |_: RunContext<()>| {
        let run = inner.run("Please.");
        async move { Ok(json!(run.await?.output())) }
    });
    let agent = Agent::<()>::builder(script(vec![calls(&[("delegate", "1")]), done()]))
        .name("outer")
        .tool(delegate)
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    assert_eq!(
        spans.tree(),
        "invoke_agent outer\n  chat function\n  execute_tool delegate\n    invoke_agent inner\n      chat function\n      \
         execute_tool deep\n      chat function\n  chat function\n"
    );
    assert_ne!(
        spans.span("invoke_agent inner").fields.get("gen_ai.agent.call.id"),
        spans.span("invoke_agent outer").fields.get("gen_ai.agent.call.id")
    );
}

#[tokio::test]
async fn what_runs_on_a_thread_of_its_own_is_under_the_call_too() {
    let spans = Collector::new();
    let inner = Agent::<()>::builder(script(vec![done()])).name("inner").build().expect("agent");
    let delegate = RawTool::blocking(ToolDefinition::new("delegate"), move |_: RunContext<()>, _| {
        let handle = tokio::runtime::Handle::current();
        let result = handle.block_on(inner.run("Please.").into_future())?;
        Ok::<_, BoxError>(json!(result.output()))
    });
    let agent = Agent::<()>::builder(script(vec![calls(&[("delegate", "1")]), done()]))
        .name("outer")
        .tool(delegate)
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    assert_eq!(
        spans.tree(),
        "invoke_agent outer\n  chat function\n  execute_tool delegate\n    invoke_agent inner\n      chat function\n  \
         chat function\n"
    );
}

#[tokio::test]
async fn a_streamed_run_leaves_the_same_spans() {
    let spans = Collector::new();
    let agent = Agent::<()>::builder(script(vec![calls(&[("look", "1")]), done()]))
        .name("helper")
        .tool(echo("look"))
        .build()
        .expect("agent");
    let mut stream = agent.run("Go.").stream();
    while stream.next().await.is_some() {
        // A span of the reader's, between two polls: it must not become anybody's parent.
        tracing::info_span!("reader", otel.name = "reader").in_scope(|| ());
    }
    stream.finish().await.expect("run");
    let tree: String = spans.tree().lines().filter(|line| *line != "reader").map(|line| format!("{line}\n")).collect();
    assert_eq!(tree, "invoke_agent helper\n  chat function\n  execute_tool look\n  chat function\n");
    let streamed = spans.spans().iter().filter(|span| span.fields.get("gen_ai.request.stream") == Some("true")).count();
    assert_eq!(streamed, 2);
}

#[tokio::test]
async fn calls_that_do_not_run_have_no_span() {
    let spans = Collector::new();
    let hidden = FunctionToolset::new().with_tools([echo("hidden")]).defer_loading(None);
    let outside = ExternalToolset::new("outside", [ToolDefinition::new("outside")]);
    let made = calls(&[("nothing", "1"), ("hidden", "2"), ("outside", "3")]);
    let agent = Agent::<()>::builder(script(vec![made]))
        .name("helper")
        .toolset(hidden)
        .toolset(outside)
        .allow_deferred()
        .build()
        .expect("agent");
    let paused = agent.run("Go.").await.expect("run");
    assert_eq!(spans.tree(), "invoke_agent helper\n  chat function\n");
    drop(paused);
}

#[tokio::test]
async fn a_call_stubbed_by_an_output_has_no_span() {
    let spans = Collector::new();
    let agent = Agent::<()>::builder(script(vec![calls(&[("final_result", "1"), ("look", "2")])]))
        .name("helper")
        .tool(echo("look"))
        .end_strategy(EndStrategy::Early)
        .output(OutputSpec::tool(OutputTool::from_schema("final_result", None, json!({"type": "object"}))))
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    assert_eq!(spans.tree(), "invoke_agent helper\n  chat function\n");
}

#[tokio::test]
async fn a_call_that_waits_is_no_error_and_runs_in_a_span_of_the_next_run() {
    let spans = Collector::new();
    let asks = tool("ask", |ctx: RunContext<()>| async move {
        if ctx.tool_call_approved() {
            return Ok(json!("done"));
        }
        Err(ApprovalRequired::with_metadata(json!({"why": "costs money"})).into())
    });
    let agent = Agent::<()>::builder(script(vec![calls(&[("ask", "1")]), done()]))
        .name("helper")
        .tool(asks)
        .allow_deferred()
        .build()
        .expect("agent");
    let paused = agent.run("Go.").await.expect("run");
    assert_eq!(spans.tree(), "invoke_agent helper\n  chat function\n  execute_tool ask\n");
    let call = spans.span("execute_tool ask").fields;
    assert_eq!(call.get("toolwright.tool.deferral.name"), Some("ApprovalRequired"));
    assert_eq!(call.get("toolwright.tool.deferral.metadata"), None, "that is content");
    assert_eq!(call.get("otel.status_code"), None);
    let approved = DeferredToolResults::new().approve("1");
    agent.resume(paused.history().clone()).results(approved).await.expect("run");
    let both = "invoke_agent helper\n  chat function\n  execute_tool ask\ninvoke_agent helper\n  execute_tool ask\n  chat function\n";
    assert_eq!(spans.tree(), both);
}

#[tokio::test]
async fn an_output_tools_function_has_a_span() {
    let spans = Collector::new();
    let output = OutputTool::from_schema("answer", None, json!({"type": "object"}))
        .map(|value| value)
        .map(|value| tracing::info_span!("inside", otel.name = "inside").in_scope(|| value));
    let agent = Agent::<()>::builder(script(vec![calls(&[("answer", "1")])]))
        .name("helper")
        .output(OutputSpec::tool(output))
        .allow_deferred()
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    assert_eq!(spans.tree(), "invoke_agent helper\n  chat function\n  execute_tool answer\n    inside\n");
}
