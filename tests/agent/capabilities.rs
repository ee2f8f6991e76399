//! Capabilities: what their hooks can do, in which order, and what becomes of their errors.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value, json};
use toolwright::capability::{
    BlockingPool, Bundle, Capability, CapabilityExt, HandleDeferredToolCalls, HookResult, NextRequest,
    NextToolExecution, NextToolValidation, PrefixTools, ProcessHistory, SetToolMetadata, ToolInvocation,
};
use toolwright::message::{
    Arguments, Message, ModelRequest, ModelResponse, Outcome, RequestPart, ResponsePart, ToolCallPart,
};
use toolwright::model::{FunctionModel, ModelInput, ModelSettings};
use toolwright::{
    Agent, AgentBuilder, ApprovalRequired, CallDeferred, DeferredToolRequests, DeferredToolResults, Error, ErrorKind,
    ExternalToolset, History, MaybeDeferred, ModelRetry, RawTool, Retries, RunContext, Tool, ToolDefinition,
    ToolFailed, ToolReturn, tool, tools,
};

use crate::support::{answers, calls, done, echo, returns, said, script};

/// Doubles a number.
#[tool(retries = 2)]
fn double(number: i64) -> i64 {
    number * 2
}

fn call_double(args: Value) -> ModelResponse {
    ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new("double", args).with_id("d"))])
}

fn doubling(args: Value) -> AgentBuilder<(), String> {
    Agent::<()>::builder(script(vec![call_double(args), done()])).tools(tools![double])
}

/// What a tool gave, as the history has it.
fn results(history: &History) -> Vec<(String, Outcome)> {
    returns(history).into_iter().map(|part| (said(&part.content), part.outcome)).collect()
}

/// Writes down what happens around everything.
struct Diary(&'static str, Arc<Mutex<Vec<String>>>);

impl Diary {
    fn note(&self, what: &str) {
        self.1.lock().expect("diary").push(format!("{} {what}", self.0));
    }
}

impl Capability<()> for Diary {
    async fn wrap_model_request(
        &self,
        _: &RunContext<()>,
        input: ModelInput,
        mut next: NextRequest<'_, ()>,
    ) -> HookResult<ModelResponse> {
        self.note("asks");
        let response = next.run(input).await;
        self.note("is answered");
        response
    }

    async fn wrap_tool_validation(
        &self,
        _: &RunContext<()>,
        call: ToolInvocation<'_>,
        mut next: NextToolValidation<'_, ()>,
    ) -> HookResult<()> {
        self.note("checks");
        next.run(call).await
    }

    async fn wrap_tool_execution(
        &self,
        ctx: &RunContext<()>,
        call: ToolInvocation<'_>,
        mut next: NextToolExecution<'_, ()>,
    ) -> HookResult<ToolReturn> {
        assert_eq!(ctx.tool_name(), Some("double"));
        self.note("runs");
        let result = next.run(call).await;
        self.note("has run");
        result
    }
}

#[tokio::test]
async fn the_first_capability_is_outermost() {
    let diary = Arc::new(Mutex::new(Vec::new()));
    let agent = doubling(json!({"number": 2}))
        .capability(Diary("a", diary.clone()))
        .capability(Diary("b", diary.clone()))
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    let asked = ["a asks", "b asks", "b is answered", "a is answered"];
    let called = ["a checks", "b checks", "a runs", "b runs", "b has run", "a has run"];
    assert_eq!(*diary.lock().expect("diary"), [&asked[..], &called, &asked].concat());
}

type RequestHook = fn(Result<ModelResponse, toolwright::error::BoxError>, usize) -> HookResult<ModelResponse>;

/// Judges each response; the number says which it is.
struct Judge(RequestHook, AtomicUsize);

impl Judge {
    fn new(judge: RequestHook) -> Self {
        Self(judge, AtomicUsize::new(0))
    }
}

impl<D: Send + Sync + 'static> Capability<D> for Judge {
    async fn wrap_model_request(
        &self,
        _: &RunContext<D>,
        input: ModelInput,
        mut next: NextRequest<'_, D>,
    ) -> HookResult<ModelResponse> {
        let response = next.run(input).await;
        (self.0)(response, self.1.fetch_add(1, Ordering::Relaxed))
    }
}

#[tokio::test]
async fn a_hook_can_reject_a_response_and_the_model_is_told_why() {
    let judge = Judge::new(|response, place| match place {
        0 => Err(ModelRetry::new("Be kinder.").into()),
        _ => response,
    });
    let agent = doubling(json!({"number": 2})).capability(judge).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(result.output(), "done");
    assert_eq!(result.usage().requests, 2);
    // The rejected response stays, its call is answered, and the feedback says what the hook said.
    let stored = result.history().to_json();
    assert_eq!(answers(result.history()), [("d".to_owned(), Outcome::Success)]);
    assert!(stored.contains("Be kinder.") && stored.contains("was not accepted"), "{stored}");
    assert_eq!(result.history().iter().filter(|message| matches!(message, Message::Response(_))).count(), 2);
}

#[tokio::test]
async fn rejections_use_up_the_output_budget() {
    let judge = || Judge::new(|_, _| Err(ModelRetry::new("Never.").into()));
    let agent = doubling(json!({"number": 2})).retries(Retries::output(2)).capability(judge()).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("it is never content");
    assert_eq!(error.kind(), ErrorKind::ModelBehavior, "{error}");
    assert!(error.to_string().contains("(2)"), "{error}");
    let responses = error.history().expect("history").iter().filter(|message| matches!(message, Message::Response(_)));
    assert_eq!(responses.count(), 3);
}

#[tokio::test]
async fn a_model_s_error_stays_itself_and_a_hook_can_mend_it() {
    let failing = || {
        FunctionModel::new(|_: &ModelInput| -> toolwright::Result<ModelResponse> {
            Err(Error::provider("the line is dead"))
        })
    };
    let agent = Agent::<()>::builder(failing()).capability(Judge::new(|response, _| response)).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("no model");
    assert_eq!((error.kind(), error.to_string().contains("the line is dead")), (ErrorKind::Provider, true));

    let mended = Judge::new(|response, _| response.or_else(|_| Ok(ModelResponse::text("from the cache"))));
    let agent = Agent::<()>::builder(failing()).capability(mended).build().expect("agent");
    let result = agent.run("Go.").await.expect("mended");
    assert_eq!((result.output().as_str(), result.usage().requests), ("from the cache", 1));
}

#[tokio::test]
async fn an_error_of_a_hook_s_own_names_its_capability() {
    struct Sour;
    impl Capability<()> for Sour {
        fn id(&self) -> Option<&str> {
            Some("sour")
        }

        async fn wrap_model_request(
            &self,
            _: &RunContext<()>,
            _: ModelInput,
            _: NextRequest<'_, ()>,
        ) -> HookResult<ModelResponse> {
            Err("no milk".into())
        }
    }
    struct Panicking;
    impl Capability<()> for Panicking {
        async fn settings(&self, _: &RunContext<()>) -> HookResult<ModelSettings> {
            panic!("spilt")
        }
    }
    let fail = |builder: AgentBuilder<(), String>| builder.build().expect("agent").run("Go.").run_blocking();
    let (sour, panicking) = std::thread::spawn(move || {
        let builder = || Agent::<()>::builder(script(vec![done()]));
        (fail(builder().capability(Sour)), fail(builder().capability(Sour.prefix_tools("x")).capability(Panicking)))
    })
    .join()
    .expect("thread");
    let (sour, panicking) = (sour.expect_err("sour"), panicking.expect_err("a panic"));
    assert_eq!(sour.kind(), ErrorKind::Tool);
    assert!(sour.to_string().contains("`sour`"), "{sour}");
    assert!(panicking.to_string().contains("capability number 2"), "{panicking}");
}

/// Asks twice, and takes the second answer.
struct Twice;

impl Capability<()> for Twice {
    async fn wrap_model_request(
        &self,
        _: &RunContext<()>,
        mut input: ModelInput,
        mut next: NextRequest<'_, ()>,
    ) -> HookResult<ModelResponse> {
        next.run(input.clone()).await?;
        input.settings.temperature = Some(0.0);
        next.run(input).await
    }
}

#[tokio::test]
async fn asking_again_counts_against_the_limits() {
    let agent = Agent::<()>::builder(script(vec![ModelResponse::text("first"), ModelResponse::text("second")]))
        .capability(Twice)
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!((result.output().as_str(), result.usage().requests), ("second", 2));
    let limits = toolwright::UsageLimits::default().requests(1);
    let error = agent.run("Go.").limits(limits).await.expect_err("one is allowed");
    assert_eq!(error.kind(), ErrorKind::UsageLimit, "{error}");
}

type CheckHook = fn(Option<HookResult<()>>) -> HookResult<()>;

/// Says something before the arguments are checked, if `first`, or after.
struct Checker {
    first: bool,
    verdict: CheckHook,
}

impl<D: Send + Sync + 'static> Capability<D> for Checker {
    async fn wrap_tool_validation(
        &self,
        _: &RunContext<D>,
        call: ToolInvocation<'_>,
        mut next: NextToolValidation<'_, D>,
    ) -> HookResult<()> {
        let checked = if self.first { None } else { Some(next.run(call).await) };
        (self.verdict)(checked)
    }
}

#[tokio::test]
async fn validation_hooks_give_calls_back_to_the_model() {
    for (verdict, outcome) in [
        ((|_| Err(ModelRetry::new("Smaller.").into())) as CheckHook, Outcome::Retried),
        (|_| Err(ToolFailed::new("Closed.").into()), Outcome::Failed),
    ] {
        for first in [true, false] {
            let agent = doubling(json!({"number": 2})).capability(Checker { first, verdict }).build().expect("agent");
            let result = agent.run("Go.").await.expect("run");
            assert_eq!(answers(result.history()), [("d".to_owned(), outcome)]);
        }
    }
}

#[tokio::test]
async fn arguments_can_be_mended_and_the_history_keeps_the_model_s() {
    struct Mend;
    impl Capability<()> for Mend {
        async fn wrap_tool_validation(
            &self,
            _: &RunContext<()>,
            mut call: ToolInvocation<'_>,
            mut next: NextToolValidation<'_, ()>,
        ) -> HookResult<()> {
            let error = match next.run(call.clone()).await {
                Err(error) if error.is::<toolwright::args::ArgsError>() => error,
                checked => return checked,
            };
            assert!(error.to_string().contains("number"), "{error}");
            call.args = Arguments::from_text(r#"{"number": 21}"#);
            next.run(call).await
        }
    }
    let agent = doubling(json!({"nummer": 2})).capability(Mend).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(results(result.history()), [("42".to_owned(), Outcome::Success)]);
    assert!(result.history().to_json().contains("nummer"));
}

#[tokio::test]
async fn bad_arguments_are_still_told_to_the_model_by_way_of_hooks() {
    let agent = doubling(json!({"number": "x"}))
        .capability(Checker { first: false, verdict: |checked| checked.expect("checked") })
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let part = returns(result.history()).remove(0);
    let errors: Value = part.content.read().expect("a list of errors");
    assert_eq!((part.outcome, &errors[0]["loc"]), (Outcome::Retried, &json!(["number"])));
}

#[tokio::test]
async fn a_hook_that_checks_nothing_passes_over_the_validator_but_not_over_the_types() {
    fn never(_: &RunContext<()>, _: &i64) -> Result<(), ModelRetry> {
        Err(ModelRetry::new("Never."))
    }
    /// Guarded.
    #[tool(args_validator = never, deps = ())]
    fn guarded(number: i64) -> i64 {
        number
    }
    let with = |args: Value| {
        let call = ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new("guarded", args).with_id("g"))]);
        let skip = Checker { first: true, verdict: |_| Ok(()) };
        Agent::<()>::builder(script(vec![call, done()])).tools(tools![guarded]).capability(skip).build().expect("agent")
    };
    let passed = with(json!({"number": 7})).run("Go.").await.expect("run");
    assert_eq!(results(passed.history()), [("7".to_owned(), Outcome::Success)]);
    let failed = with(json!({})).run("Go.").await.expect("run");
    assert_eq!(answers(failed.history()), [("g".to_owned(), Outcome::Retried)]);
}

#[tokio::test]
async fn a_call_can_wait_once_its_arguments_are_checked_and_not_before() {
    let waits = |first| {
        doubling(json!({"number": 2}))
            .capability(Checker { first, verdict: |_| Err(ApprovalRequired::new().into()) })
            .allow_deferred()
            .build()
            .expect("agent")
    };
    let result = waits(false).run("Go.").await.expect("run");
    assert_eq!(result.into_output().deferred().expect("it waits").approvals.len(), 1);
    let error = waits(true).run("Go.").await.expect_err("nothing was checked");
    assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
    assert!(error.to_string().contains("`double`"), "{error}");
}

/// Runs a call as often as it takes, at most three times.
struct Again;

impl<D: Send + Sync + 'static> Capability<D> for Again {
    async fn wrap_tool_execution(
        &self,
        _: &RunContext<D>,
        call: ToolInvocation<'_>,
        mut next: NextToolExecution<'_, D>,
    ) -> HookResult<ToolReturn> {
        for _ in 0..2 {
            if let Ok(result) = next.run(call.clone()).await {
                return Ok(result);
            }
        }
        next.run(call).await
    }
}

#[tokio::test]
async fn a_hook_can_run_a_call_again() {
    static TRIES: AtomicUsize = AtomicUsize::new(0);
    /// Works the third time.
    #[tool]
    async fn flaky(owned: String) -> Result<String, std::io::Error> {
        match TRIES.fetch_add(1, Ordering::Relaxed) {
            0 | 1 => Err(std::io::Error::other("busy")),
            _ => Ok(owned),
        }
    }
    let call = ToolCallPart::new("flaky", json!({"owned": "text"})).with_id("f");
    let model = script(vec![ModelResponse::new(vec![ResponsePart::ToolCall(call)]), done()]);
    let agent = Agent::<()>::builder(model).tools(tools![flaky]).capability(Again).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(results(result.history()), [("text".to_owned(), Outcome::Success)]);
    assert_eq!(result.usage().tool_calls, 1);
}

type RunHook = fn(Option<HookResult<ToolReturn>>) -> HookResult<ToolReturn>;

/// Says something instead of what a call came to, if `first` without running it.
struct Runner {
    first: bool,
    verdict: RunHook,
}

impl<D: Send + Sync + 'static> Capability<D> for Runner {
    async fn wrap_tool_execution(
        &self,
        _: &RunContext<D>,
        call: ToolInvocation<'_>,
        mut next: NextToolExecution<'_, D>,
    ) -> HookResult<ToolReturn> {
        let ran = if self.first { None } else { Some(next.run(call).await) };
        (self.verdict)(ran)
    }
}

#[tokio::test]
async fn execution_hooks_decide_what_becomes_of_a_call() {
    let run = |first, verdict: RunHook| async move {
        let agent = doubling(json!({"number": 2}))
            .capability(Runner { first, verdict })
            .allow_deferred()
            .build()
            .expect("agent");
        agent.run("Go.").await
    };
    let told = |result: toolwright::RunResult<MaybeDeferred<String>>| results(result.history());
    let changed = run(false, |ran| Ok(ran.expect("it ran")?.map(|value| json!([said(&value)]).into()))).await;
    assert_eq!(told(changed.expect("run")), [(r#"["4"]"#.to_owned(), Outcome::Success)]);
    let cached = run(true, |_| Ok(ToolReturn::new(json!("cached").into()))).await;
    assert_eq!(told(cached.expect("run")), [("cached".to_owned(), Outcome::Success)]);
    let retried = run(true, |_| Err(ModelRetry::new("Later.").into())).await;
    assert_eq!(told(retried.expect("run")), [("Later.".to_owned(), Outcome::Retried)]);
    let failed = run(true, |_| Err(ToolFailed::new("Closed.").into())).await;
    assert_eq!(told(failed.expect("run")), [("Closed.".to_owned(), Outcome::Failed)]);
    let waits = run(true, |_| Err(CallDeferred::new().into())).await.expect("run");
    assert_eq!(waits.into_output().deferred().expect("it waits").calls.len(), 1);
    let error = run(true, |_| Err("broken".into())).await.expect_err("an error of its own");
    assert_eq!(error.kind(), ErrorKind::Tool, "{error}");
    let panicked = run(true, |_| panic!("ouch")).await.expect_err("a panic");
    assert_eq!(panicked.kind(), ErrorKind::Tool, "{panicked}");
}

#[tokio::test(start_paused = true)]
async fn a_tool_s_timeout_is_an_error_that_hooks_see() {
    let slow: Tool<()> = crate::support::tool("slow", |_| async {
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok(json!("late"))
    });
    let seen = Runner {
        first: false,
        verdict: |ran| match ran {
            Some(Err(error)) if error.is::<ModelRetry>() => Err(ToolFailed::new(error.to_string()).into()),
            other => other.expect("it ran"),
        },
    };
    let agent = Agent::<()>::builder(script(vec![calls(&[("slow", "s")]), done()]))
        .tool(slow.with_timeout(Duration::from_secs(2)))
        .capability(seen)
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(results(result.history()), [("Timed out after 2 seconds.".to_owned(), Outcome::Failed)]);
}

#[tokio::test]
async fn arguments_that_a_hook_gives_a_call_are_read_as_well() {
    struct Other(&'static str);
    impl Capability<()> for Other {
        async fn wrap_tool_execution(
            &self,
            _: &RunContext<()>,
            mut call: ToolInvocation<'_>,
            mut next: NextToolExecution<'_, ()>,
        ) -> HookResult<ToolReturn> {
            call.args = Arguments::from_text(self.0);
            next.run(call).await
        }
    }
    for (args, expected) in [(r#"{"number": 5}"#, ("10", Outcome::Success)), ("{}", ("", Outcome::Retried))] {
        let agent = doubling(json!({"number": 2})).capability(Other(args)).build().expect("agent");
        let result = agent.run("Go.").await.expect("run");
        let (text, outcome) = results(result.history()).remove(0);
        assert_eq!(outcome, expected.1);
        assert!(outcome == Outcome::Retried || text == expected.0, "{text}");
    }
}

#[tokio::test]
async fn what_a_history_processor_gives_back_is_kept() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let asked = seen.clone();
    let model = FunctionModel::new(move |input: &ModelInput| {
        asked.lock().expect("asked").push(input.history.len());
        done()
    });
    let newest_two = |_: &RunContext<()>, history: History| history.since(history.len().saturating_sub(2));
    let agent = Agent::<()>::builder(model).capability(ProcessHistory::new(newest_two)).build().expect("agent");
    let first = agent.run("One.").await.expect("run");
    let second = agent.run("Two.").history(first.history().clone()).await.expect("run");
    assert_eq!(*seen.lock().expect("seen"), [1, 2]);
    // The first prompt is gone; the newest response, the new prompt and its answer stay.
    assert_eq!(second.history().len(), 3);
    assert_eq!(second.new_messages().len(), 2);
    let stored = second.history().to_json();
    assert!(!stored.contains("One.") && stored.contains("Two."), "{stored}");
}

#[tokio::test]
async fn a_processed_history_has_to_end_with_the_request() {
    async fn nothing(_: RunContext<()>, _: History) -> Result<History, std::io::Error> {
        Ok(History::new())
    }
    let agent =
        Agent::<()>::builder(script(vec![done()])).capability(ProcessHistory::new(nothing)).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("nothing to send");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("history processor"), "{error}");
}

#[tokio::test]
async fn a_tool_whose_evidence_is_dropped_is_hidden_again() {
    let searched = ModelResponse::new(vec![ResponsePart::ToolCall(
        ToolCallPart::new("search_tools", json!({"queries": ["far"]})).with_id("s"),
    )]);
    let far: Tool<()> = echo("far").map_definition(|definition| definition.with_defer_loading(true));
    // From the third step on, nothing of the search is left.
    let forget = |ctx: &RunContext<()>, history: History| {
        if ctx.run_step() < 3 { history } else { History::from(vec![Message::from(prompt("Again."))]) }
    };
    let model = script(vec![searched, calls(&[("far", "1")]), calls(&[("far", "2")]), calls(&[("far", "3")]), done()]);
    let agent = Agent::<()>::builder(model).tool(far).capability(ProcessHistory::new(forget)).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let hidden: Vec<_> = result.steps().iter().map(|step| step.hidden_tools.len()).collect();
    assert_eq!(hidden, [1, 0, 1, 1, 1]);
}

fn prompt(text: &str) -> ModelRequest {
    ModelRequest::new(vec![RequestPart::UserPrompt(toolwright::message::UserPromptPart::new(text))])
}

#[tokio::test]
async fn deferred_calls_go_from_handler_to_handler() {
    let answering = |id: &'static str| {
        HandleDeferredToolCalls::new(move |_: &RunContext<()>, requests: DeferredToolRequests| {
            requests.result(id, json!(id)).ok()
        })
    };
    let external = ExternalToolset::new("ext", ["a", "b", "c"].map(ToolDefinition::new));
    let builder = || {
        Agent::<()>::builder(script(vec![calls(&[("a", "1"), ("b", "2"), ("c", "3")]), done()]))
            .toolset(external.clone())
            .capability(answering("1"))
            .capability(answering("2"))
    };
    let open = builder().allow_deferred().build().expect("agent").run("Go.").await.expect("run");
    assert_eq!(open.into_output().deferred().expect("one waits").calls.len(), 1);
    let all = builder().handle_deferred(|_: &RunContext<()>, requests: DeferredToolRequests| {
        // Only what nobody has answered is asked of the last.
        assert_eq!(requests.calls.len(), 1);
        requests.result("3", json!("3")).expect("it waits")
    });
    let result = all.build().expect("agent").run("Go.").await.expect("run");
    assert_eq!(results(result.history()).len(), 3);

    let stranger = |_: &RunContext<()>, _: DeferredToolRequests| DeferredToolResults::new().result("x", json!(1));
    let agent = builder().handle_deferred(stranger).build().expect("agent");
    let error = agent.run("Go.").await.expect_err("there is no such call");
    assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
}

#[tokio::test]
async fn a_capability_brings_instructions_tools_and_settings() {
    struct Force;
    impl Capability<()> for Force {
        async fn settings(&self, ctx: &RunContext<()>) -> HookResult<ModelSettings> {
            let choice = (ctx.run_step() == 1).then(|| toolwright::ToolChoice::tools(["gh_find"]));
            Ok(choice.into_iter().fold(ModelSettings::new(), ModelSettings::tool_choice))
        }
    }
    let inputs = Arc::new(Mutex::new(Vec::new()));
    let asked = inputs.clone();
    let model = FunctionModel::new(move |input: &ModelInput| {
        asked.lock().expect("asked").push(input.clone());
        done()
    });
    let github = Bundle::new()
        .instructions("Be brief.")
        .instructions_fn(|ctx: &RunContext<()>| format!("Step {}.", ctx.run_step()))
        .tool(echo("find"));
    let agent = Agent::<()>::builder(model)
        .tool(echo("own"))
        .instructions("You help.")
        .capability(PrefixTools::new("gh", github))
        .capability(SetToolMetadata::new([("risk", json!("low"))]).only(|tool| tool.name() == "own"))
        .capability(Force)
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("run");
    let input = inputs.lock().expect("inputs").remove(0);
    assert_eq!(input.instructions.as_deref(), Some("You help.\n\nBe brief.\n\nStep 1."));
    let names: Vec<_> = input.function_tools.iter().map(ToolDefinition::name).collect();
    assert_eq!(names, ["own", "gh_find"]);
    let risks: Vec<_> = input.function_tools.iter().map(|tool| tool.metadata().is_some()).collect();
    assert_eq!(risks, [true, false]);
    assert!(input.settings.tool_choice.is_some());
}

#[tokio::test]
async fn a_run_can_have_capabilities_of_its_own() {
    let agent = Agent::<()>::builder(script(vec![calls(&[("extra", "e")]), done()])).build().expect("agent");
    let result = agent.run("Go.").capability(Bundle::new().tool(echo("extra"))).await.expect("run");
    assert_eq!(results(result.history()), [("extra".to_owned(), Outcome::Success)]);
    let twice = || Bundle::<()>::new().id("b");
    let error = agent.run("Go.").capability(twice()).capability(twice()).await.expect_err("two of one id");
    assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
    let error = Agent::<()>::builder(script(vec![done()])).capability(twice()).capability(twice()).build();
    assert!(error.expect_err("two of one id").to_string().contains("`b`"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_blocking_pool_bounds_how_many_threads_run() {
    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    /// Takes its time.
    #[tool]
    fn slow() -> &'static str {
        MOST.fetch_max(RUNNING.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(20));
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        "slow"
    }
    let ids = ["1", "2", "3", "4", "5", "6"];
    let model = script(vec![calls(&ids.map(|id| ("slow", id))), done()]);
    let pool = BlockingPool::new(NonZeroUsize::new(2).expect("not zero"));
    let agent = Agent::<()>::builder(model).tools(tools![slow]).capability(pool).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(results(result.history()).len(), 6);
    assert_eq!(MOST.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn output_tools_are_not_among_the_calls_that_hooks_stand_around() {
    let refuse = Checker { first: true, verdict: |_| Err("no call was expected".into()) };
    let output = toolwright::OutputSpec::tool(toolwright::OutputTool::from_schema(
        "answer",
        None,
        json!({"type": "object", "properties": {}}),
    ));
    let agent = Agent::<()>::builder(script(vec![calls(&[("answer", "a")])]))
        .output(output)
        .capability(refuse)
        .build()
        .expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(result.output(), &json!({}));
}

#[tokio::test]
async fn a_raw_tool_s_own_argument_error_is_not_taken_for_one_of_the_call_s() {
    let raw: Tool<()> = RawTool::new(ToolDefinition::new("raw"), |_, _: Map<String, Value>| async {
        Err::<Value, toolwright::error::BoxError>("out of range".into())
    })
    .into();
    let agent = Agent::<()>::builder(script(vec![calls(&[("raw", "r")]), done()]))
        .tool(raw)
        .capability(Again)
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("its own error");
    assert_eq!(error.kind(), ErrorKind::Tool, "{error}");
}

#[tokio::test]
async fn what_a_hook_rejected_is_taken_up_by_nobody() {
    let refuse = || Judge::new(|_, _| Err(ModelRetry::new("Never.").into()));
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = ran.clone();
    let pay: Tool<()> = crate::support::tool("pay", move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { Ok(json!("paid")) }
    });
    let agent = Agent::<()>::builder(script(vec![calls(&[("pay", "p")]), done()]))
        .tool(pay)
        .retries(Retries::output(0))
        .capability(refuse())
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("it is never content");
    let history = error.history().expect("history").clone();
    let later = Agent::<()>::builder(script(vec![done()])).tool(echo("pay")).build().expect("agent");
    later.run("Go on.").history(history).await.expect("a new prompt is taken");
    assert_eq!(ran.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn rejected_responses_count_against_the_token_limits() {
    let judge = Judge::new(|_, _| Err(ModelRetry::new("Never.").into()));
    let mut costly = done();
    costly.usage.input_tokens = 2_000;
    let agent = Agent::<()>::builder(script(vec![costly])).retries(5).capability(judge).build().expect("agent");
    let limits = toolwright::UsageLimits::default().total_tokens(10);
    let error = agent.run("Go.").limits(limits).await.expect_err("it is too much");
    assert_eq!(error.kind(), ErrorKind::UsageLimit, "{error}");
}
