//! Random agents and what models and tools do to them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolwright::error::BoxError;
use toolwright::message::{Arguments, History, Message, ModelResponse, RequestPart, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{
    Agent, ApprovalRequired, CallDeferred, CancellationToken, EndStrategy, MaybeDeferred, ModelRetry, ModelSettings,
    OutputSpec, OutputTool, RawTool, RecordedHistory, Retries, RunContext, Tool, ToolDefinition, ToolFailed,
    UsageLimits,
};

/// What a tool does when it is called.
#[derive(Clone, Debug)]
enum Deed {
    Return,
    Retry,
    Fail,
    Error,
    Panic,
    Cancel,
    Defer,
    Approve,
    Hang,
}

/// A tool: what it does, after how many milliseconds, and how its calls are treated.
#[derive(Clone, Debug)]
struct Doing {
    deed: Deed,
    after: u64,
    sequential: bool,
    approval: bool,
    timeout: bool,
}

/// A call: which tool (one too many is an unknown one, one more the output tool), with which id, with good arguments.
type Call = (usize, u8, bool);

/// An agent, a script, and how the run is stopped.
#[derive(Clone, Debug)]
pub(crate) struct World {
    tools: Vec<Doing>,
    script: Vec<Vec<Call>>,
    strategy: u8,
    serial: bool,
    budget: u32,
    stop: Option<(u64, bool)>,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) enum End {
    Done(History),
    Failed(History),
    Dropped,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => Just(Deed::Return),
        2 => Just(Deed::Retry),
        2 => Just(Deed::Fail),
        1 => Just(Deed::Error),
        1 => Just(Deed::Panic),
        1 => Just(Deed::Cancel),
        1 => Just(Deed::Defer),
        1 => Just(Deed::Approve),
        1 => Just(Deed::Hang),
    ]
}

fn doing() -> impl Strategy<Value = Doing> {
    (deed(), 0u64..50, any::<bool>(), prop::bool::weighted(0.1), any::<bool>())
        .prop_map(|(deed, after, sequential, approval, timeout)| Doing { deed, after, sequential, approval, timeout })
}

/// Any world.
pub(crate) fn worlds() -> impl Strategy<Value = World> {
    let call = (0usize..6, 0u8..4, prop::bool::weighted(0.9));
    let script = prop::collection::vec(prop::collection::vec(call, 0..4), 0..5);
    let stop = prop::option::weighted(0.4, (0u64..120, any::<bool>()));
    (prop::collection::vec(doing(), 0..4), script, 0u8..3, any::<bool>(), 0u32..3, stop).prop_map(
        |(tools, script, strategy, serial, budget, stop)| World { tools, script, strategy, serial, budget, stop },
    )
}

impl World {
    /// A world in which the model only talks.
    pub(crate) fn quiet() -> Self {
        Self { tools: Vec::new(), script: Vec::new(), strategy: 0, serial: false, budget: 1, stop: None }
    }

    /// Runs it. How it ended, what the model was sent, and how many tools still run.
    pub(crate) fn play(&self, history: Option<History>, record: &RecordedHistory) -> (End, Vec<ModelInput>, usize) {
        self.play_as(false, history, record)
    }

    /// Runs it as a stream of events.
    pub(crate) fn play_streamed(&self) -> (End, Vec<ModelInput>, usize) {
        self.play_as(true, None, &RecordedHistory::new())
    }

    fn play_as(
        &self,
        streamed: bool,
        history: Option<History>,
        record: &RecordedHistory,
    ) -> (End, Vec<ModelInput>, usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
        runtime.expect("a runtime").block_on(self.run(streamed, history, record))
    }

    async fn run(
        &self,
        streamed: bool,
        history: Option<History>,
        record: &RecordedHistory,
    ) -> (End, Vec<ModelInput>, usize) {
        let seen: Arc<Mutex<Vec<ModelInput>>> = Arc::default();
        let running = Arc::new(AtomicUsize::new(0));
        let agent = self.agent(&seen, &running);
        let token = CancellationToken::new();
        let mut run =
            agent.run("Go.").record_into(record).cancel_on(token.clone()).limits(UsageLimits::default().requests(12));
        if let Some(history) = history {
            run = run.history(history);
        }
        let run = async move {
            if !streamed {
                return run.await;
            }
            let mut stream = run.stream();
            while stream.next().await.is_some() {}
            stream.finish().await
        };
        let run = tokio::time::timeout(Duration::from_secs(3600), run);
        let end = match self.stop {
            None => Some(run.await),
            Some((after, true)) => {
                let cancel = async {
                    tokio::time::sleep(Duration::from_millis(after)).await;
                    token.cancel();
                };
                Some(tokio::join!(run, cancel).0)
            }
            Some((after, false)) => tokio::time::timeout(Duration::from_millis(after), run).await.ok(),
        };
        let end = match end {
            Some(Ok(Ok(result))) => End::Done(result.history().clone()),
            Some(Ok(Err(error))) => End::Failed(error.history().expect("every error of a run has its history").clone()),
            // Tools that hang without a timeout, and nobody who stops them.
            Some(Err(_)) | None => End::Dropped,
        };
        tokio::task::yield_now().await;
        let seen = seen.lock().expect("lock").clone();
        (end, seen, running.load(Ordering::SeqCst))
    }

    fn agent(&self, seen: &Arc<Mutex<Vec<ModelInput>>>, running: &Arc<AtomicUsize>) -> Agent<(), MaybeDeferred<Value>> {
        let strategy = [EndStrategy::Early, EndStrategy::Graceful, EndStrategy::Exhaustive][usize::from(self.strategy)];
        let output = OutputTool::from_schema("final", None, json!({"type": "object", "properties": {}}));
        let mut settings = ModelSettings::new();
        if self.serial {
            settings = settings.parallel_tool_calls(false);
        }
        Agent::<()>::builder(self.model(seen))
            .tools(self.tools.iter().enumerate().map(|(place, doing)| tool(place, doing, running)))
            .output(OutputSpec::tool(output).or_text(Value::from))
            .retries(Retries::from(self.budget))
            .end_strategy(strategy)
            .settings(settings)
            .allow_deferred()
            .build()
            .expect("an agent")
    }

    fn model(&self, seen: &Arc<Mutex<Vec<ModelInput>>>) -> FunctionModel {
        let (seen, script) = (seen.clone(), self.script.clone());
        let tools = self.tools.len();
        let next = AtomicUsize::new(0);
        FunctionModel::new(move |input: &ModelInput| {
            seen.lock().expect("lock").push(input.clone());
            match script.get(next.fetch_add(1, Ordering::SeqCst)) {
                Some(calls) => ModelResponse::new(calls.iter().map(|call| part(call, tools)).collect()),
                None => ModelResponse::text("done"),
            }
        })
    }
}

fn part(&(place, id, good): &Call, tools: usize) -> ResponsePart {
    let name = if place > tools { "final".to_owned() } else { format!("t{place}") };
    let args = if good { Arguments::from(json!({})) } else { Arguments::from_text("{\"x\":") };
    ResponsePart::ToolCall(ToolCallPart::new(name, args).with_id(format!("call_{id}")))
}

/// Counts the tools that run.
struct Running(Arc<AtomicUsize>);

impl Running {
    fn start(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count.clone())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn tool(place: usize, doing: &Doing, running: &Arc<AtomicUsize>) -> Tool<()> {
    let (deed, after, running) = (doing.deed.clone(), Duration::from_millis(doing.after), running.clone());
    let definition = ToolDefinition::new(format!("t{place}"))
        .with_sequential(doing.sequential)
        .with_timeout(doing.timeout.then_some(Duration::from_millis(30)));
    let tool = Tool::from(RawTool::new(definition, move |ctx: RunContext<()>, _| {
        let (deed, running) = (deed.clone(), Running::start(&running));
        async move {
            let _running = running;
            tokio::time::sleep(after).await;
            act(&deed, &ctx).await
        }
    }));
    if doing.approval { tool.with_approval() } else { tool }
}

#[allow(clippy::panic, reason = "one of the things a tool can do")]
async fn act(deed: &Deed, ctx: &RunContext<()>) -> Result<Value, BoxError> {
    match deed {
        Deed::Return => Ok(json!({"ok": true})),
        Deed::Retry => Err(ModelRetry::new("again").into()),
        Deed::Fail => Err(ToolFailed::new("no").into()),
        Deed::Error => Err("disk on fire".into()),
        Deed::Panic => std::panic::resume_unwind(Box::new("odd")),
        Deed::Cancel => {
            ctx.cancel();
            Ok(json!("late"))
        }
        Deed::Defer => Err(CallDeferred::new().into()),
        Deed::Approve => Err(ApprovalRequired::new().into()),
        Deed::Hang => std::future::pending().await,
    }
}

/// Every call has exactly one answer, before the next response.
pub(crate) fn assert_answered(input: &ModelInput) {
    let history = &input.history;
    let mut open: Vec<&str> = Vec::new();
    for message in history.iter() {
        match message {
            Message::Response(response) => {
                assert!(open.is_empty(), "unanswered: {open:?} in {history:?}");
                open = response.tool_calls().map(|call| call.tool_call_id.as_str()).collect();
            }
            Message::Request(request) => {
                for part in &request.parts {
                    if let RequestPart::ToolReturn(answer) = part {
                        let call = open.iter().position(|id| *id == answer.tool_call_id);
                        open.remove(call.unwrap_or_else(|| unreachable!("answered twice, or not called: {answer:?}")));
                    }
                }
            }
            other => unreachable!("an unknown message: {other:?}"),
        }
    }
    assert!(open.is_empty(), "unanswered: {open:?} in {history:?}");
}

/// An end without what differs from run to run.
pub(crate) fn plain(end: &End) -> String {
    let (kind, history) = match end {
        End::Done(history) => ("done", history.clone()),
        End::Failed(history) => ("failed", history.clone()),
        End::Dropped => ("dropped", History::new()),
    };
    let mut json: Value = serde_json::from_str(&history.to_json()).expect("JSON");
    strip(&mut json);
    format!("{kind} {json}")
}

fn strip(json: &mut Value) {
    match json {
        Value::Object(map) => {
            map.retain(|key, _| !matches!(key.as_str(), "timestamp" | "run_id"));
            map.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
