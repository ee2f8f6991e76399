//! What tools, hooks and validators see of the run they are part of.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use crate::cancel::{Cancellation, Deadline};
use crate::event::{Event, EventSink};
use crate::json::Json;
use crate::message::History;
use crate::meter::Meter;
use crate::report::Trail;
use crate::retry::RetryCounts;
use crate::tool::ToolDefinition;
use crate::toolset::{Naming, NamingRule};
use crate::usage::{RunUsage, UsageLimits};

/// What tools, hooks and validators see of the run they are part of.
///
/// A cheap handle: cloning it shares everything. `D` is the type of the agent's dependencies.
pub struct RunContext<D> {
    run: Arc<RunShared<D>>,
    step: Arc<StepShared>,
    call: CallShared,
}

/// What does not change in a run.
pub(crate) struct RunShared<D> {
    pub(crate) deps: Arc<D>,
    pub(crate) model: ModelInfo,
    pub(crate) run_id: String,
    pub(crate) cancel: Cancellation,
    pub(crate) deadline: Option<Deadline>,
    pub(crate) meter: Arc<Meter>,
    pub(crate) events: EventSink,
    /// What becomes of the tools that are being collected.
    pub(crate) trail: Trail,
    /// Whether models are asked for streamed responses.
    pub(crate) streamed: bool,
}

/// What does not change in a step.
#[derive(Clone, Default)]
pub(crate) struct StepShared {
    pub(crate) number: u32,
    pub(crate) history: History,
    pub(crate) tools: Arc<[ToolDefinition]>,
    pub(crate) discovered: Arc<HashSet<String>>,
    /// The capabilities that the model has loaded.
    pub(crate) loaded: Arc<HashSet<String>>,
    pub(crate) retries: RetryCounts,
    pub(crate) tool_budget: u32,
}

/// Which tool, and which call of it, the context is for.
#[derive(Clone, Default)]
pub(crate) struct CallShared {
    pub(crate) tool_name: Option<Arc<str>>,
    pub(crate) tool_call_id: Option<Arc<str>>,
    pub(crate) retry: u32,
    pub(crate) max_retries: u32,
    pub(crate) approved: bool,
    pub(crate) metadata: Option<Json>,
    /// From the names in the toolset that is being asked to those the model knows.
    pub(crate) naming: Option<Arc<Naming>>,
    pub(crate) toolset: Option<AskedToolset>,
}

/// The toolset that is being asked for its tools.
#[derive(Clone)]
pub(crate) struct AskedToolset {
    /// Its place among those of the run.
    place: usize,
    /// What errors and reports call it.
    label: Arc<str>,
}

/// The model of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    name: Arc<str>,
    system: Arc<str>,
}

impl ModelInfo {
    pub(crate) fn new(name: &str, system: &str) -> Self {
        Self { name: name.into(), system: system.into() }
    }

    /// The model's name, such as `gpt-5.2`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The provider's name, such as `openai`.
    #[must_use]
    pub fn system(&self) -> &str {
        &self.system
    }
}

impl<D> RunShared<D> {
    /// Tells the run's listener of something. The run does not go on without its listener.
    pub(crate) fn emit(&self, event: Event) {
        self.events.emit(event);
        if self.events.has_failed() {
            self.cancel.cancel();
        }
    }
}

impl<D> RunContext<D> {
    /// A context outside any run, to call a tool function from a test of your own.
    pub fn detached(deps: D) -> Self {
        let run = RunShared {
            deps: Arc::new(deps),
            model: ModelInfo::new("none", "none"),
            run_id: crate::id::unique(),
            cancel: Cancellation::default(),
            deadline: None,
            meter: Meter::new(UsageLimits::none(), None),
            events: EventSink::default(),
            trail: Trail::default(),
            streamed: false,
        };
        Self::new(Arc::new(run), Arc::default())
    }

    pub(crate) fn new(run: Arc<RunShared<D>>, step: Arc<StepShared>) -> Self {
        Self { run, step, call: CallShared::default() }
    }

    pub(crate) fn for_call(&self, call: CallShared) -> Self {
        Self { run: self.run.clone(), step: self.step.clone(), call }
    }

    /// The context inside a toolset whose names are changed by `rule` on their way out.
    pub(crate) fn for_naming(&self, rule: Arc<NamingRule>) -> Self {
        let naming = Some(Arc::new(Naming::new(rule, self.call.naming.clone())));
        self.for_call(CallShared { naming, ..self.call.clone() })
    }

    /// The context of the run's toolset at `place`.
    pub(crate) fn for_toolset(&self, place: usize, label: Arc<str>) -> Self {
        self.for_call(CallShared { toolset: Some(AskedToolset { place, label }), ..self.call.clone() })
    }

    pub(crate) fn toolset_place(&self) -> Option<usize> {
        self.call.toolset.as_ref().map(|toolset| toolset.place)
    }

    /// What to call the toolset that is being asked.
    pub(crate) fn toolset_label(&self) -> &str {
        self.call.toolset.as_ref().map_or("a toolset", |toolset| &toolset.label)
    }

    /// The name by which the model knows a tool of the toolset that is being asked.
    pub(crate) fn exposed_name(&self, tool: &ToolDefinition) -> Arc<str> {
        match &self.call.naming {
            Some(naming) => naming.exposed(tool.name()).into(),
            None => tool.shared_name(),
        }
    }

    pub(crate) fn trail(&self) -> &Trail {
        &self.run.trail
    }

    /// How often the tool called `name` in this toolset was asked again, and how often it may be by default.
    pub(crate) fn retries_of(&self, name: &str) -> (u32, u32) {
        let count = |name: &str| self.step.retries.get(name).copied().unwrap_or_default();
        let used = match &self.call.naming {
            _ if self.step.retries.is_empty() => 0,
            Some(naming) => count(&naming.exposed(name)),
            None => count(name),
        };
        (used, self.step.tool_budget)
    }

    pub(crate) fn run(&self) -> &Arc<RunShared<D>> {
        &self.run
    }

    pub(crate) fn call(&self) -> &CallShared {
        &self.call
    }

    /// What the application gave the run.
    #[must_use]
    pub fn deps(&self) -> &D {
        &self.run.deps
    }

    /// The run's model.
    #[must_use]
    pub fn model(&self) -> &ModelInfo {
        &self.run.model
    }

    /// The run's id.
    #[must_use]
    pub fn run_id(&self) -> &str {
        &self.run.run_id
    }

    /// Which step of the run this is, from 1; 0 before the first.
    #[must_use]
    pub fn run_step(&self) -> u32 {
        self.step.number
    }

    /// The conversation so far.
    #[must_use]
    pub fn messages(&self) -> &History {
        &self.step.history
    }

    /// The tools of this step, in order; in functions that still decide on them, those of the step before.
    #[must_use]
    pub fn tools(&self) -> &[ToolDefinition] {
        &self.step.tools
    }

    /// Whether the model can call the tool: it was never hidden, or it was found or revealed.
    #[must_use]
    pub fn is_tool_available(&self, tool: &ToolDefinition) -> bool {
        match tool.capability_id() {
            Some(id) => self.is_loaded(id),
            None => !tool.defer_loading() || self.is_discovered(tool.name()),
        }
    }

    pub(crate) fn is_loaded(&self, capability_id: &str) -> bool {
        self.step.loaded.contains(capability_id)
    }

    pub(crate) fn is_discovered(&self, name: &str) -> bool {
        self.step.discovered.contains(name)
    }

    /// The name of the step's first tool of a kind, whatever prefix it has; hidden tools count.
    #[must_use]
    pub fn tool_name_for_kind(&self, kind: &str) -> Option<&str> {
        self.tools().iter().find(|tool| tool.tool_kind() == Some(kind)).map(ToolDefinition::name)
    }

    /// What the run has cost up to now: the response that made a tool's call included, and the runs within this one that
    /// [share its usage](crate::Run::share_usage).
    #[must_use]
    pub fn usage(&self) -> RunUsage {
        self.run.meter.used()
    }

    /// The tool's own name, before any prefix or renaming; none in agent-wide hooks.
    #[must_use]
    pub fn tool_name(&self) -> Option<&str> {
        self.call.tool_name.as_deref()
    }

    /// The id of the call.
    #[must_use]
    pub fn tool_call_id(&self) -> Option<&str> {
        self.call.tool_call_id.as_deref()
    }

    /// How often the model has been asked to try this tool again, in a row.
    #[must_use]
    pub fn retry(&self) -> u32 {
        self.call.retry
    }

    /// How often it may be.
    #[must_use]
    pub fn max_retries(&self) -> u32 {
        self.call.max_retries
    }

    /// Whether this is the last attempt.
    #[must_use]
    pub fn last_attempt(&self) -> bool {
        self.retry() >= self.max_retries()
    }

    /// Whether somebody has approved the call.
    #[must_use]
    pub fn tool_call_approved(&self) -> bool {
        self.call.approved
    }

    /// What whoever approved the call gave with it.
    #[must_use]
    pub fn tool_call_metadata(&self) -> Option<&Json> {
        self.call.metadata.as_ref()
    }

    /// Tells the run's listener something, such as how far a tool has come.
    pub fn emit(&self, data: impl Into<Json>) {
        if self.run.events.is_heard() {
            let owned = |text: &Arc<str>| text.to_string();
            self.run.emit(Event::Custom {
                tool_name: self.call.tool_name.as_ref().map(owned),
                tool_call_id: self.call.tool_call_id.as_ref().map(owned),
                data: data.into(),
            });
        }
    }

    /// Tells the run's listener how far a call has come.
    #[cfg(feature = "mcp")]
    pub(crate) fn emit_progress(&self, progress: f64, total: Option<f64>, message: Option<String>) {
        if self.run.events.is_heard() {
            let owned = |text: &Arc<str>| text.to_string();
            self.run.emit(Event::ToolProgress {
                tool_name: self.call.tool_name.as_ref().map(owned),
                tool_call_id: self.call.tool_call_id.as_ref().map(owned),
                progress,
                total,
                message,
            });
        }
    }

    /// Cancels the whole run. What has completed stays in its history.
    pub fn cancel(&self) {
        self.run.cancel.cancel();
    }

    /// Whether the run is being cancelled, or is over: for blocking tools, which nobody else can stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.run.cancel.is_cancelled()
    }
}

impl<D> Clone for RunContext<D> {
    fn clone(&self) -> Self {
        Self { run: self.run.clone(), step: self.step.clone(), call: self.call.clone() }
    }
}

impl<D> fmt::Debug for RunContext<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunContext")
            .field("run_id", &self.run.run_id)
            .field("run_step", &self.step.number)
            .field("model", &self.run.model)
            .field("tool_name", &self.call.tool_name)
            .field("tool_call_id", &self.call.tool_call_id)
            .field("messages", &self.step.history.len())
            .finish_non_exhaustive()
    }
}
