//! Capabilities that the model loads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright::capability::{
    Bundle, Capability, CapabilityExt, HookResult, NextToolExecution, PrepareTools, ToolInvocation,
};
use toolwright::message::{History, ModelResponse, Outcome, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput, ModelSettings};
use toolwright::tool::kind::{KindDefinition, LoadCapability};
use toolwright::{Agent, ErrorKind, RawTool, RunContext, RunResult, Tool, ToolDefinition, ToolReturn, ToolsetExt};

use crate::support::{answers, calls, done, echo, returns, said, script, tool};

fn load(id: &str, call: &str) -> ModelResponse {
    let call = ToolCallPart::new("load_capability", json!({"id": id})).with_id(call);
    ModelResponse::new(vec![ResponsePart::ToolCall(call)])
}

fn billing() -> Bundle<()> {
    Bundle::new().instructions("Refund nothing old.").tool(echo("refund"))
}

fn offered(result: &RunResult<String>) -> Vec<Vec<String>> {
    let names = |tools: &[ToolDefinition]| tools.iter().map(|tool| tool.name().to_owned()).collect();
    result.steps().iter().map(|step| names(&step.function_tools)).collect()
}

#[tokio::test]
async fn a_capability_holds_once_it_is_loaded() {
    let inputs = Arc::new(Mutex::new(Vec::new()));
    let asked = inputs.clone();
    let replies = Mutex::new(vec![done(), calls(&[("refund", "r")]), load("billing", "l")]);
    let model = FunctionModel::new(move |input: &ModelInput| {
        asked.lock().expect("asked").push(input.clone());
        replies.lock().expect("replies").pop().expect("a reply")
    });
    let agent = Agent::<()>::builder(model)
        .tool(echo("open"))
        .instructions("You help.")
        .capability(billing().on_demand("billing", "Refunds and invoices."))
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(
        offered(&result),
        [
            vec!["load_capability", "open"],
            vec!["load_capability", "open", "refund"],
            vec!["load_capability", "open", "refund"],
        ]
    );
    // The instructions name it, and never change.
    let inputs = inputs.lock().expect("inputs");
    let told: Vec<_> = inputs.iter().map(|input| input.instructions.clone().expect("instructions")).collect();
    assert!(told[0].starts_with("You help.\n\n") && told[0].ends_with("- billing: Refunds and invoices."), "{told:?}");
    assert!(!told[0].contains("Refund nothing old."));
    assert_eq!(told[0], told[2]);
    // What it says is the result of the call, and its tools are announced behind it.
    let loaded = &returns(result.history())[0];
    assert_eq!(loaded.tool_kind.as_deref(), Some("capability-load"));
    let loaded: Value = loaded.content.read().expect("JSON");
    assert_eq!(loaded["instructions"], "Refund nothing old.");
    let stored = result.history().to_json();
    assert!(stored.contains(r#""tools_added":["refund"]"#), "{stored}");
    assert_eq!(answers(result.history())[1], ("r".to_owned(), Outcome::Success));
    assert_eq!(KindDefinition::of::<LoadCapability>().id(), "capability-load");
}

#[tokio::test]
async fn what_was_loaded_stays_loaded_over_the_same_history() {
    let build = |replies| {
        Agent::<()>::builder(script(replies))
            .capability(billing().on_demand("billing", "Refunds."))
            .build()
            .expect("agent")
    };
    let first = build(vec![load("billing", "l"), done()]).run("Load it.").await.expect("run");
    let history = History::from_json(&first.history().to_json()).expect("history");
    let second = build(vec![calls(&[("refund", "r")]), done()]).run("Refund.").history(history).await.expect("run");
    assert_eq!(offered(&second)[0], ["load_capability", "refund"]);
    assert_eq!(answers(second.history()).last(), Some(&("r".to_owned(), Outcome::Success)));
}

#[tokio::test]
async fn the_model_is_told_what_is_wrong_with_a_load() {
    let twice = ModelResponse::new(
        ["1", "2"]
            .map(|id| {
                ResponsePart::ToolCall(ToolCallPart::new("load_capability", json!({"id": "billing"})).with_id(id))
            })
            .to_vec(),
    );
    let model = script(vec![load("nothing", "0"), twice, load("billing", "3"), done()]);
    let agent = Agent::<()>::builder(model)
        .capability(billing().on_demand("billing", "Refunds."))
        .retries(3)
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let told: Vec<_> = returns(result.history()).into_iter().map(|part| (part.outcome, said(&part.content))).collect();
    let outcomes: Vec<_> = told.iter().map(|(outcome, _)| *outcome).collect();
    assert_eq!(outcomes, [Outcome::Retried, Outcome::Success, Outcome::Retried, Outcome::Retried]);
    assert!(told[0].1.contains("'nothing'") && told[0].1.contains("'billing'"), "{told:?}");
    assert!(told[2].1.contains("Another call"), "{told:?}");
    assert!(told[3].1.contains("loaded already"), "{told:?}");
}

#[tokio::test]
async fn a_tool_of_a_capability_that_is_not_loaded_is_neither_called_nor_found() {
    let searched = ToolCallPart::new("search_tools", json!({"queries": ["refund far"]})).with_id("s");
    let model =
        script(vec![calls(&[("refund", "1")]), ModelResponse::new(vec![ResponsePart::ToolCall(searched)]), done()]);
    let far: Tool<()> = echo("far").map_definition(|definition| definition.with_defer_loading(true));
    let agent = Agent::<()>::builder(model)
        .tool(far)
        .capability(billing().on_demand("billing", "Refunds."))
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let told: Vec<_> = returns(result.history()).into_iter().map(|part| said(&part.content)).collect();
    assert!(told[0].contains("load the capability 'billing' with `load_capability` first"), "{told:?}");
    assert!(told[1].contains("far") && !told[1].contains("refund"), "{told:?}");
}

/// Counts what of it is called.
struct Counting(Arc<AtomicUsize>);

impl Capability<()> for Counting {
    fn id(&self) -> Option<&str> {
        Some("counting")
    }

    fn defer_loading(&self) -> bool {
        true
    }

    async fn settings(&self, _: &RunContext<()>) -> HookResult<ModelSettings> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(ModelSettings::new().temperature(0.5))
    }

    async fn prepare_tools(&self, _: &RunContext<()>, tools: Vec<ToolDefinition>) -> HookResult<Vec<ToolDefinition>> {
        self.0.fetch_add(100, Ordering::Relaxed);
        Ok(tools.into_iter().map(|tool| tool.with_description("counted")).collect())
    }

    async fn wrap_tool_execution(
        &self,
        _: &RunContext<()>,
        call: ToolInvocation<'_>,
        mut next: NextToolExecution<'_, ()>,
    ) -> HookResult<ToolReturn> {
        self.0.fetch_add(10_000, Ordering::Relaxed);
        next.run(call).await
    }
}

#[tokio::test]
async fn hooks_and_settings_hold_once_it_is_loaded() {
    let count = Arc::new(AtomicUsize::new(0));
    let model = script(vec![calls(&[("open", "1")]), load("counting", "l"), calls(&[("open", "2")]), done()]);
    let agent =
        Agent::<()>::builder(model).tool(echo("open")).capability(Counting(count.clone())).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    // Two steps follow the load, and one call.
    assert_eq!(count.load(Ordering::Relaxed), 10_202);
    let described: Vec<_> = result.steps().iter().map(|step| step.function_tools[1].description()).collect();
    assert_eq!(described[1..3], [None, Some("counted")]);
}

#[tokio::test]
async fn a_prepared_capability_runs_its_hooks_only_after_the_load() {
    let hook = |_: &RunContext<()>, _: Vec<ToolDefinition>| -> Vec<ToolDefinition> { Vec::new() };
    let agent = Agent::<()>::builder(script(vec![load("none", "l"), done()]))
        .tool(echo("open"))
        .capability(PrepareTools::new(hook).on_demand("none", "Takes all tools away."))
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(offered(&result), [vec!["load_capability", "open"], vec!["load_capability"]]);
}

#[tokio::test]
async fn only_loading_reveals_the_tools_of_a_capability() {
    let opener: Tool<()> = RawTool::new(ToolDefinition::new("opener"), |_, _| async {
        Ok::<_, toolwright::error::BoxError>(ToolReturn::new(json!("open").into()).reveal(["refund"]))
    })
    .into();
    let agent = Agent::<()>::builder(script(vec![calls(&[("opener", "1")]), done()]))
        .tool(opener)
        .capability(billing().on_demand("billing", "Refunds."))
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("it is not loaded");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("`refund`") && error.to_string().contains("`billing`"), "{error}");
}

#[tokio::test]
async fn names_and_ids_are_seen_to() {
    let taken = Agent::<()>::builder(script(vec![done()]))
        .tool(echo("load_capability"))
        .capability(billing().on_demand("billing", "Refunds."))
        .build()
        .expect("it is only known once the tools are collected");
    let error = taken.run("Go.").await.expect_err("the name is taken");
    assert!(error.to_string().contains("`load_capability`"), "{error}");
    let free = Agent::<()>::builder(script(vec![done()])).tool(echo("load_capability")).build().expect("agent");
    free.run("Go.").await.expect("nothing is to be loaded");
    let nameless = Agent::<()>::builder(script(vec![done()])).capability(billing().on_demand(" ", "Refunds.")).build();
    assert_eq!(nameless.expect_err("no id").kind(), ErrorKind::Misuse);
}

#[tokio::test]
async fn a_load_whose_instructions_fail_can_be_tried_again() {
    struct Moody(AtomicUsize);
    impl Capability<()> for Moody {
        async fn instructions(&self, _: &RunContext<()>) -> HookResult<Option<String>> {
            match self.0.fetch_add(1, Ordering::Relaxed) {
                0 => Err(toolwright::ModelRetry::new("Not now.").into()),
                _ => Ok(Some("Now.".to_owned())),
            }
        }
    }
    let agent = Agent::<()>::builder(script(vec![load("moody", "1"), load("moody", "2"), done()]))
        .capability(Moody(AtomicUsize::new(0)).on_demand("moody", "Comes and goes."))
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let outcomes: Vec<_> = answers(result.history()).into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(outcomes, [Outcome::Retried, Outcome::Success]);
}

#[tokio::test]
async fn loading_by_a_call_that_was_resumed_holds_at_once() {
    let set = toolwright::FunctionToolset::<()>::new().with_tools([tool("refund", |_| async { Ok(json!("ok")) })]);
    let replies = vec![calls(&[("refund", "r")]), done()];
    let agent = Agent::<()>::builder(script(replies))
        .capability(Bundle::new().toolset(set.prefixed("b")).toolset(toolwright::FunctionToolset::new()))
        .capability(billing().on_demand("billing", "Refunds."))
        .build()
        .expect("agent");
    let mut history = History::new();
    history.push(toolwright::message::ModelRequest::new(vec![toolwright::message::RequestPart::UserPrompt(
        toolwright::message::UserPromptPart::new("Load it."),
    )]));
    let mut call = ToolCallPart::new("load_capability", json!({"id": "billing"})).with_id("l");
    call.tool_kind = Some("capability-load".to_owned());
    history.push(ModelResponse::new(vec![ResponsePart::ToolCall(call)]));
    let result = agent.resume(history).await.expect("run");
    assert_eq!(answers(result.history()).last(), Some(&("r".to_owned(), Outcome::Success)));
}

#[tokio::test]
async fn a_report_says_what_has_to_be_loaded() {
    let agent = Agent::<()>::builder(script(vec![done()]))
        .capability(billing().on_demand("billing", "Refunds."))
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let told = result.steps()[0].to_string();
    assert!(told.contains("refund: hidden until capability `billing` is loaded"), "{told}");
}

#[tokio::test]
async fn a_capability_whose_load_is_dropped_from_the_history_holds_no_more() {
    use toolwright::message::{Message, ModelRequest, RequestPart, UserPromptPart};

    let count = Arc::new(AtomicUsize::new(0));
    let forget = |ctx: &RunContext<()>, history: History| {
        if ctx.run_step() < 3 {
            return history;
        }
        let prompt = RequestPart::UserPrompt(UserPromptPart::new("Again."));
        History::from(vec![Message::from(ModelRequest::new(vec![prompt]))])
    };
    let open = |id| calls(&[("open", id)]);
    let agent = Agent::<()>::builder(script(vec![load("counting", "l"), open("1"), open("2"), open("3"), done()]))
        .tool(echo("open"))
        .capability(Counting(count.clone()))
        .capability(toolwright::capability::ProcessHistory::new(forget))
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    // It holds in the second and third step; the calls of the second step are run by it, those of the third no more.
    assert_eq!(count.load(Ordering::Relaxed), 10_202);
}

#[tokio::test]
async fn the_test_model_loads_what_there_is() {
    let agent = Agent::<()>::builder(toolwright::model::TestModel::new())
        .capability(billing().on_demand("billing", "Refunds."))
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert!(result.output().contains("The capability 'billing' is loaded."), "{}", result.output());
}

#[tokio::test]
async fn a_load_that_was_never_run_loads_nothing() {
    use toolwright::EndStrategy;
    use toolwright::model::TestModel;

    struct Deny;
    impl Capability<()> for Deny {
        async fn wrap_tool_execution(
            &self,
            _: &RunContext<()>,
            _: ToolInvocation<'_>,
            _: NextToolExecution<'_, ()>,
        ) -> HookResult<ToolReturn> {
            Ok(ToolReturn::new(json!("You may not load that.").into()))
        }
    }
    let denied = Agent::<()>::builder(script(vec![load("billing", "l"), done()]))
        .capability(billing().on_demand("billing", "Refunds."))
        .capability(Deny)
        .build()
        .expect("agent");
    let result = denied.run("Go.").await.expect("run");
    assert_eq!(offered(&result)[1], ["load_capability"]);

    let output = toolwright::OutputSpec::tool(toolwright::OutputTool::from_schema(
        "answer",
        None,
        json!({"type": "object", "properties": {}}),
    ));
    let both = ModelResponse::new(vec![
        ResponsePart::ToolCall(ToolCallPart::new("answer", json!({})).with_id("a")),
        ResponsePart::ToolCall(ToolCallPart::new("load_capability", json!({"id": "billing"})).with_id("l")),
    ]);
    let skipped = Agent::<()>::builder(script(vec![both]))
        .output(output)
        .end_strategy(EndStrategy::Early)
        .capability(billing().on_demand("billing", "Refunds."))
        .build()
        .expect("agent");
    let history = skipped.run("Go.").await.expect("run").history().clone();
    let later = Agent::<()>::builder(TestModel::new().call_tools(Vec::<String>::new()))
        .capability(billing().on_demand("billing", "Refunds."))
        .build()
        .expect("agent");
    assert_eq!(offered(&later.run("Go.").history(history).await.expect("run"))[0], ["load_capability"]);
}

#[tokio::test]
async fn what_is_loaded_is_what_the_tool_was_given() {
    struct Other;
    impl Capability<()> for Other {
        async fn wrap_tool_validation(
            &self,
            _: &RunContext<()>,
            mut call: ToolInvocation<'_>,
            mut next: toolwright::capability::NextToolValidation<'_, ()>,
        ) -> HookResult<()> {
            call.args = toolwright::message::Arguments::from_text(r#"{"id": "user"}"#);
            next.run(call).await
        }
    }
    let agent = Agent::<()>::builder(script(vec![load("admin", "l"), done()]))
        .capability(Bundle::new().tool(echo("rule")).on_demand("admin", "Rules."))
        .capability(Bundle::new().tool(echo("use")).on_demand("user", "Uses."))
        .capability(Other)
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(offered(&result)[1], ["load_capability", "use"]);
}
