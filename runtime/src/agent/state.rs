//! What a run knows while it goes on.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::DropGuard;

use super::collect::StepTools;
use super::newcomers::Established;
use super::run::RunOptions;
use super::{AgentShared, StepReport};
use crate::cancel::Cancellation;
use crate::context::{CallShared, ModelInfo, RunContext, RunShared, StepShared};
use crate::discovery::Discovery;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, EventSink};
use crate::model::{AnyModel, Model, ModelSettings, RequestCache};
use crate::panics::catch_future;
use crate::retry::{Retries, RetryLedger};
use crate::toolset::Member;
use crate::trace::Trace;
use crate::transcript::Transcript;
use crate::usage::{RunUsage, UsageLimits};

/// What a run knows while it goes on.
pub(super) struct RunState<D, O> {
    pub(super) agent: Arc<AgentShared<D, O>>,
    pub(super) model: AnyModel,
    pub(super) run: Arc<RunShared<D>>,
    pub(super) step: Arc<StepShared>,
    pub(super) transcript: Transcript,
    pub(super) usage: RunUsage,
    pub(super) limits: UsageLimits,
    pub(super) ledger: RetryLedger,
    pub(super) retries: Retries,
    pub(super) members: Vec<Member<D>>,
    pub(super) tools: StepTools<D, O>,
    /// Which hidden tools the model was shown.
    pub(super) discovery: Discovery,
    pub(super) established: Established,
    /// Hidden tools that were called before they were found.
    pub(super) refused: HashSet<String>,
    pub(super) run_settings: ModelSettings,
    /// Those of the step.
    pub(super) settings: ModelSettings,
    pub(super) cache: RequestCache,
    /// Whether models are asked for streamed responses.
    pub(super) streamed: bool,
    pub(super) reports: Vec<StepReport>,
    pub(super) trace: Trace,
    deadline: Option<(Instant, Duration)>,
    /// Tells blocking tools that are left behind, however the run ends.
    _cancel_leftovers: DropGuard,
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    pub(super) fn new(
        agent: Arc<AgentShared<D, O>>,
        deps: Arc<D>,
        options: RunOptions<D>,
        transcript: Transcript,
    ) -> Self {
        let model = options.model.unwrap_or_else(|| agent.model.clone());
        let run = RunShared {
            deps,
            model: ModelInfo::new(model.name(), model.system()),
            run_id: crate::id::unique(),
            cancel: Cancellation::new(options.cancel),
            events: EventSink::new(options.events),
        };
        let content = agent.trace_content.merged(options.trace_content);
        let trace = Trace::new(agent.name.as_deref(), &run.run_id, transcript.history(), content);
        let members = agent.members.iter().cloned().chain(options.toolsets).collect();
        Self {
            model,
            _cancel_leftovers: run.cancel.on_drop(),
            run: Arc::new(run),
            step: Arc::default(),
            transcript,
            usage: RunUsage::default(),
            limits: options.limits,
            ledger: RetryLedger::default(),
            retries: agent.retries.merged(options.retries),
            members,
            tools: StepTools::default(),
            discovery: Discovery::default(),
            established: Established::default(),
            refused: HashSet::new(),
            run_settings: options.settings,
            settings: ModelSettings::default(),
            cache: RequestCache::default(),
            streamed: options.streamed,
            reports: Vec::new(),
            trace,
            deadline: options.deadline.and_then(|deadline| Some((Instant::now().checked_add(deadline)?, deadline))),
            agent,
        }
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
        Stop { run: self.run.clone(), deadline: self.deadline }
    }
}

/// What can end a run from outside.
pub(super) struct Stop<D> {
    run: Arc<RunShared<D>>,
    deadline: Option<(Instant, Duration)>,
}

impl<D> Stop<D> {
    /// Waits for `work`, unless the run is cancelled or its time is up first.
    pub(super) async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        tokio::select! {
            biased;
            () = self.run.cancel.cancelled() => Err(Error::cancelled()),
            error = self.time_up() => Err(error),
            done = work => Ok(done),
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.run.cancel.is_cancelled()
    }

    async fn time_up(&self) -> Error {
        match self.deadline {
            Some((instant, deadline)) => {
                if let Err(panic) = catch_future(async { tokio::time::sleep_until(instant).await }).await {
                    return Error::misuse("a run with a deadline needs a tokio runtime with its timers enabled")
                        .with_source(panic);
                }
                let seconds = deadline.as_secs_f64();
                Error::new(
                    ErrorKind::Cancelled,
                    format!("the run was cancelled: its deadline of {seconds} seconds has passed"),
                )
            }
            None => std::future::pending().await,
        }
    }
}
