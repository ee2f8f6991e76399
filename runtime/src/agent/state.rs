//! What a run knows while it goes on.

use std::collections::HashSet;
use std::sync::Arc;

use tokio_util::sync::DropGuard;

use super::AgentShared;
use super::collect::StepTools;
use super::newcomers::Established;
use super::run::RunOptions;
use super::within::{CallerListener, Shared};
use crate::cancel::{Cancellation, Deadline};
use crate::capability::{Capabilities, Entries};
use crate::context::{CallShared, ModelInfo, RunContext, RunShared, StepShared};
use crate::discovery::Discovery;
use crate::error::{Error, Result};
use crate::event::{Event, EventSink, Listener};
use crate::meter::{Meter, Reserved};
use crate::model::{AnyModel, Model, ModelSettings, RequestCache};
use crate::native::WantedTools;
use crate::panics::catch;
use crate::report::{StepReport, Trail};
use crate::retry::{Retries, RetryLedger};
use crate::toolset::Member;
use crate::trace::Trace;
use crate::transcript::Transcript;
use crate::usage::UsageLimits;

/// What a run knows while it goes on.
pub(super) struct RunState<D, O> {
    pub(super) agent: Arc<AgentShared<D, O>>,
    pub(super) model: AnyModel,
    pub(super) run: Arc<RunShared<D>>,
    pub(super) step: Arc<StepShared>,
    pub(super) transcript: Transcript,
    /// Room that is kept for the calls of the step.
    pub(super) calls_ahead: Reserved,
    /// Whether the run has asked its model for anything yet.
    pub(super) has_asked: bool,
    pub(super) ledger: RetryLedger,
    pub(super) retries: Retries,
    pub(super) members: Vec<Member<D>>,
    pub(super) capabilities: Capabilities<D>,
    /// Those of them that hold in this step.
    pub(super) active: Entries<D>,
    pub(super) tools: StepTools<D, O>,
    pub(super) native_tools: WantedTools,
    /// Which hidden tools the model was shown.
    pub(super) discovery: Discovery,
    pub(super) established: Established,
    /// Hidden tools that were called before they were found.
    pub(super) refused: HashSet<String>,
    pub(super) run_settings: ModelSettings,
    /// Those of the step.
    pub(super) settings: ModelSettings,
    pub(super) cache: RequestCache,
    pub(super) reports: Vec<StepReport>,
    /// How many of them the listener was told of.
    pub(super) reports_told: usize,
    pub(super) trace: Trace,
    /// Tells blocking tools that are left behind, however the run ends.
    _cancel_leftovers: DropGuard,
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    pub(super) fn new(
        agent: Arc<AgentShared<D, O>>,
        deps: Arc<D>,
        options: RunOptions<D>,
        transcript: Transcript,
    ) -> Result<Self> {
        let model = options.model.unwrap_or_else(|| agent.model.clone());
        let run_id = crate::id::unique();
        let Shared { usage, deadline, events, streamed } = options.shared;
        let default_limits = || if usage.is_some() { UsageLimits::none() } else { UsageLimits::default() };
        let own_deadline = options.deadline.and_then(Deadline::after);
        let run = RunShared {
            deps,
            model: ModelInfo::new(model.name(), model.system()),
            cancel: Cancellation::new(options.cancel),
            deadline: own_deadline.map_or(deadline, |own| Some(own.earlier(deadline))),
            meter: Meter::new(options.limits.unwrap_or_else(default_limits), usage),
            events: EventSink::new(listener(options.events, events, &run_id, agent.name.as_deref())),
            trail: Trail::default(),
            streamed: options.streamed || streamed,
            run_id,
        };
        let content = agent.trace_content.merged(options.trace_content);
        let trace = Trace::new(agent.name.as_deref(), &run.run_id, transcript.history(), content);
        let first = agent.capabilities.len();
        let (capabilities, own) = match options.capabilities {
            none if none.is_empty() => (agent.capabilities.clone(), Vec::new()),
            more => catch(|| agent.capabilities.with(more).map(|all| (all.clone(), all.members(first).collect())))
                .map_err(|panic| Error::tool("a capability of the run failed", panic))??,
        };
        let members = agent.members.iter().cloned().chain(own).chain(options.toolsets).collect();
        Ok(Self {
            native_tools: WantedTools::of(&agent.native_tools, &model),
            model,
            _cancel_leftovers: run.cancel.on_drop(),
            step: Arc::default(),
            transcript,
            calls_ahead: run.meter.no_room(),
            has_asked: false,
            ledger: RetryLedger::default(),
            retries: agent.retries.merged(options.retries),
            members,
            active: capabilities.active(&Discovery::default()),
            capabilities,
            tools: StepTools::default(),
            discovery: Discovery::default(),
            established: Established::default(),
            refused: HashSet::new(),
            run_settings: options.settings,
            settings: ModelSettings::default(),
            cache: RequestCache::default(),
            reports: Vec::new(),
            reports_told: 0,
            trace,
            run: Arc::new(run),
            agent,
        })
    }

    /// The context of hooks: agent-wide, with `max_retries` as their budget.
    pub(super) fn context(&self, max_retries: u32) -> RunContext<D> {
        RunContext::new(self.run.clone(), self.step.clone()).for_call(CallShared {
            retry: self.ledger.output_used(),
            max_retries,
            ..CallShared::default()
        })
    }

    pub(super) fn emit(&self, event: Event) {
        self.run.emit(event);
    }

    /// Whether anybody listens: an event nobody hears need not be made.
    pub(super) fn is_heard(&self) -> bool {
        self.run.events.is_heard()
    }

    pub(super) fn stop(&self) -> Stop<D> {
        Stop { run: self.run.clone() }
    }
}

/// What can end a run from outside.
pub(super) struct Stop<D> {
    run: Arc<RunShared<D>>,
}

impl<D> Stop<D> {
    /// Waits for `work`, unless the run is cancelled or its time is up first.
    pub(super) async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        tokio::select! {
            biased;
            () = self.run.cancel.cancelled() => Err(cancelled()),
            error = self.time_up() => Err(error),
            done = work => Ok(done),
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.run.cancel.is_cancelled()
    }

    /// What the run ends with, if it is to end now.
    pub(super) fn stopped(&self) -> Option<Error> {
        if self.is_cancelled() {
            return Some(cancelled());
        }
        self.run.deadline.filter(Deadline::has_passed).map(|deadline| deadline.error())
    }

    async fn time_up(&self) -> Error {
        match self.run.deadline {
            Some(deadline) => deadline.passed().await,
            None => std::future::pending().await,
        }
    }
}

pub(super) fn cancelled() -> Error {
    Error::cancelled("the run was cancelled")
}

/// Tells the run's own listener, and after it that of its caller.
fn listener(
    own: Option<Listener>,
    caller: Option<CallerListener>,
    run_id: &str,
    agent: Option<&str>,
) -> Option<Listener> {
    let Some(caller) = caller else { return own };
    let (run_id, agent) = (run_id.to_owned(), agent.map(str::to_owned));
    let mut own = own;
    Some(Box::new(move |event| {
        if let Some(own) = &mut own {
            own(event.clone());
        }
        caller(event, &run_id, agent.as_deref());
    }))
}
