//! Says how one run is to go; awaiting it runs it.

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::builder::member;
use super::within::Shared;
use super::{Agent, RunResult};
use crate::blocking::blocking;
use crate::capability::{AnyCapability, Capability};
use crate::deferred::DeferredToolResults;
use crate::error::Result;
use crate::event::{Event, Listener};
use crate::later::BoxFuture;
use crate::message::{History, Prompt};
use crate::model::{AnyModel, Model, ModelSettings};
use crate::retry::Retries;
use crate::toolset::{Member, Toolset};
use crate::trace::ContentSwitch;
use crate::transcript::RecordedHistory;
use crate::usage::UsageLimits;

/// A run whose dependencies are still to be given, with [`Run::deps`].
#[derive(Debug)]
#[non_exhaustive]
pub struct NeedsDeps;

/// A run that can be awaited.
#[derive(Debug)]
#[non_exhaustive]
pub struct HasDeps;

/// Says how one run is to go; awaiting it runs it. Made with [`Agent::run`] and [`Agent::resume`].
///
/// Dropping the future stops the run: the model request, and the tools (a blocking tool's thread runs to its end unless it
/// asks [`RunContext::is_cancelled`](crate::RunContext::is_cancelled); its result is discarded). With [`record_into`](Self::record_into) nothing is lost then, either.
///
/// Errors carry the [history](crate::Error::history) up to them. They are of every [kind](crate::ErrorKind): a misuse of the
/// agent, a model that used up its retries, a usage limit, a cancelled run, a tool's own error, or a provider's.
#[must_use = "a run does nothing until it is awaited"]
pub struct Run<D, O, State = NeedsDeps> {
    pub(super) agent: Agent<D, O>,
    pub(super) deps: Option<Arc<D>>,
    pub(super) options: RunOptions<D>,
    state: PhantomData<State>,
}

pub(super) struct RunOptions<D> {
    pub(super) prompt: Option<Prompt>,
    pub(super) history: History,
    pub(super) settings: ModelSettings,
    pub(super) retries: Retries,
    pub(super) limits: Option<UsageLimits>,
    pub(super) toolsets: Vec<Member<D>>,
    pub(super) capabilities: Vec<AnyCapability<D>>,
    pub(super) model: Option<AnyModel>,
    pub(super) cancel: Vec<CancellationToken>,
    pub(super) deadline: Option<Duration>,
    pub(super) results: Option<DeferredToolResults>,
    pub(super) events: Option<Listener>,
    pub(super) streamed: bool,
    pub(super) record: Option<RecordedHistory>,
    pub(super) shared: Shared,
    pub(super) trace_content: ContentSwitch,
}

impl<D: Send + Sync + 'static, O: Send + 'static> Run<D, O> {
    pub(super) fn new(agent: Agent<D, O>, prompt: Option<Prompt>, history: History) -> Self {
        let options = RunOptions {
            prompt,
            history,
            settings: ModelSettings::default(),
            retries: Retries::default(),
            limits: None,
            toolsets: Vec::new(),
            capabilities: Vec::new(),
            model: None,
            cancel: Vec::new(),
            deadline: None,
            results: None,
            events: None,
            streamed: false,
            record: None,
            shared: Shared::default(),
            trace_content: ContentSwitch::default(),
        };
        Self { agent, deps: None, options, state: PhantomData }
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static, State> Run<D, O, State> {
    /// What tools and hooks find at [`RunContext::deps`](crate::RunContext::deps).
    pub fn deps(self, deps: D) -> Run<D, O, HasDeps> {
        self.shared_deps(Arc::new(deps))
    }

    /// [`deps`](Self::deps) that are shared with others.
    pub fn shared_deps(self, deps: Arc<D>) -> Run<D, O, HasDeps> {
        Run { agent: self.agent, deps: Some(deps), options: self.options, state: PhantomData }
    }

    /// Goes on with a conversation.
    pub fn history(mut self, history: impl Into<History>) -> Self {
        self.options.history = history.into();
        self
    }

    /// What the user says, in a run made with [`Agent::resume`]: it comes after the answers to the calls that waited.
    pub fn prompt(mut self, prompt: impl Into<Prompt>) -> Self {
        self.options.prompt = Some(prompt.into());
        self
    }

    /// How the model is to answer, over the agent's settings.
    pub fn settings(mut self, settings: ModelSettings) -> Self {
        self.options.settings = self.options.settings.merged(&settings);
        self
    }

    /// How often the model may be asked to try again, in place of the agent's budgets.
    pub fn retries(mut self, retries: impl Into<Retries>) -> Self {
        self.options.retries = self.options.retries.merged(retries.into());
        self
    }

    /// How much the run may cost, in place of the [default](UsageLimits::default).
    pub fn limits(mut self, limits: UsageLimits) -> Self {
        self.options.limits = Some(limits);
        self
    }

    /// Adds a toolset, after those of the agent.
    pub fn toolset(mut self, toolset: impl Toolset<D>) -> Self {
        let place = self.options.toolsets.len() + 1;
        self.options.toolsets.push(member(toolset, || format!("toolset number {place} of the run")));
        self
    }

    /// Adds a [capability](crate::capability), after those of the agent.
    pub fn capability(mut self, capability: impl Capability<D>) -> Self {
        self.options.capabilities.push(AnyCapability::new(capability));
        self
    }

    /// Asks another model than the agent's.
    pub fn model(mut self, model: impl Model) -> Self {
        self.options.model = Some(AnyModel::new(model));
        self
    }

    /// Cancels the run when `token` is cancelled; of several, when one of them is.
    pub fn cancel_on(mut self, token: CancellationToken) -> Self {
        self.options.cancel.push(token);
        self
    }

    /// How long the whole run may take.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.options.deadline = Some(deadline);
        self
    }

    /// Answers to the calls that wait in the history, all of them; see [`Agent::resume`].
    pub fn results(mut self, results: DeferredToolResults) -> Self {
        self.options.results = Some(results);
        self
    }

    /// Tells `handler` what happens, as it happens. It is called inside the run, so it should be quick; if it
    /// panics, the run ends with an error of the kind [`Tool`](crate::ErrorKind::Tool).
    pub fn on_event(mut self, mut handler: impl FnMut(&Event) + Send + 'static) -> Self {
        self.options.events = Some(Box::new(move |event| handler(&event)));
        self
    }

    /// Keeps `record` up to date while the run goes on.
    pub fn record_into(mut self, record: &RecordedHistory) -> Self {
        self.options.record = Some(record.clone());
        self
    }

    /// Whether the run's spans hold what its conversation holds, in place of what
    /// [the agent](crate::AgentBuilder::trace_content) says.
    #[cfg(feature = "tracing")]
    pub fn trace_content(mut self, content: bool) -> Self {
        self.options.trace_content = ContentSwitch::new(content);
        self
    }

    fn start(self, deps: Arc<D>) -> BoxFuture<'static, Result<RunResult<O>>> {
        Box::pin(super::steps::run(self.agent.0, deps, self.options))
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static> IntoFuture for Run<D, O, HasDeps> {
    type Output = Result<RunResult<O>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        match self.deps.take() {
            Some(deps) => self.start(deps),
            None => unreachable!("the type says that there are some"),
        }
    }
}

impl<O: Send + 'static> IntoFuture for Run<(), O, NeedsDeps> {
    type Output = Result<RunResult<O>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        self.start(Arc::new(()))
    }
}

impl<D, O, State> Run<D, O, State>
where
    Self: IntoFuture<Output = Result<RunResult<O>>>,
{
    /// Runs without a runtime of the caller's, on one made for the run.
    ///
    /// # Errors
    ///
    /// Those of the run; and misuse inside an asynchronous runtime, where the run is to be awaited.
    pub fn run_blocking(self) -> Result<RunResult<O>> {
        blocking("run_blocking", self.into_future())?
    }
}

impl<D, O, State> fmt::Debug for Run<D, O, State> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("agent", &self.agent)
            .field("prompt", &self.options.prompt)
            .field("history", &self.options.history.len())
            .finish_non_exhaustive()
    }
}
