//! Capabilities: units of behaviour that agents are put together from (specification: behaviours 4, 5, 7, "Dynamic tool
//! choice via capabilities").
//!
//! A [`Capability`] brings what belongs together: instructions, toolsets, settings, and hooks around what a run does. An
//! agent has any number of them, in order; see [`AgentBuilder::capability`](crate::AgentBuilder::capability). Ready ones:
//!
//! | capability | what it brings |
//! |---|---|
//! | [`Bundle`] | instructions, tools and toolsets |
//! | [`PrepareTools`], [`PrepareOutputTools`] | a hook over the tools of each step |
//! | [`StepSettings`] | settings of each step |
//! | [`ToolSearch`] | how hidden tools are found |
//! | [`PrefixTools`] | a prefix for the tools of another capability |
//! | [`SetToolMetadata`] | application data on tools |
//! | [`HandleDeferredToolCalls`] | answers to calls that would wait |
//! | [`ProcessHistory`] | a history that is edited before each request |
//! | [`BlockingPool`] | a bound on the threads of plain `fn` tools |
//! | [`OnDemand`] | another capability, once the model has loaded it |
//!
//! Of several, hooks around something nest: the first is outermost. Hooks that edit something run in order, each on what
//! the one before gave back.

mod any;
mod blocking;
mod bundle;
mod deferred;
mod entry;
mod history;
mod metadata;
mod next;
mod on_demand;
mod prefix;
mod settings;
mod tools;

use std::borrow::Cow;

pub use any::AnyCapability;
pub use blocking::BlockingPool;
pub use bundle::Bundle;
pub use deferred::HandleDeferredToolCalls;
pub(crate) use entry::{Capabilities, Entries, Entry};
pub use history::{HistoryProcessor, ProcessHistory, ProcessedHistory};
pub use metadata::SetToolMetadata;
pub(crate) use next::{AskModel, ReadCall, RunCall};
pub use next::{NextRequest, NextToolExecution, NextToolValidation, ToolInvocation};
pub use on_demand::OnDemand;
pub(crate) use on_demand::{LOAD_KIND, LOAD_TOOL, LOADED, catalog, load_definition, load_tool};
pub use prefix::PrefixTools;
pub use settings::StepSettings;
pub use tools::{PrepareOutputTools, PrepareTools};

use crate::context::RunContext;
use crate::deferred::{DeferredToolRequests, DeferredToolResults};
use crate::error::BoxError;
use crate::message::{History, ModelResponse};
use crate::model::{ModelInput, ModelSettings};
use crate::search::ToolSearch;
use crate::tool::{ToolDefinition, ToolReturn};
use crate::toolset::AnyToolset;

/// What a hook comes to. Any error can be given with `?`; [`ModelRetry`](crate::ModelRetry) and
/// [`ToolFailed`](crate::ToolFailed) are known by their types, every other one ends the run.
pub type HookResult<T> = Result<T, BoxError>;

/// A unit of behaviour that an agent is put together from. Every method is optional.
///
/// Implement it for the dependencies that it reads, or for all: `impl<D: Send + Sync + 'static> Capability<D> for …`.
/// An agent that has one of the application's own asks for its tools anew at each step, as every hook is called (see
/// [`docs::performance`](crate::docs::performance)).
///
/// Hooks around something are given what comes next: what they do before they run it happens before, what they do with its
/// result happens after, and an error that it gives they can turn into something else. They can run it again, or not at all.
///
/// ```
/// use std::time::Instant;
///
/// use toolwright::capability::{Capability, HookResult, NextToolExecution, ToolInvocation};
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, RunContext, ToolFailed, ToolReturn, tool, tools};
///
/// /// Tells how long each call took, and lets the model go on when a file is missing.
/// struct Files;
///
/// impl<D: Send + Sync + 'static> Capability<D> for Files {
///     async fn wrap_tool_execution(
///         &self,
///         ctx: &RunContext<D>,
///         call: ToolInvocation<'_>,
///         mut next: NextToolExecution<'_, D>,
///     ) -> HookResult<ToolReturn> {
///         let begun = Instant::now();
///         let result = next.run(call).await;
///         ctx.emit(format!("it took {:?}", begun.elapsed()).as_str());
///         result.map_err(|error| match error.downcast_ref::<std::io::Error>() {
///             Some(io) if io.kind() == std::io::ErrorKind::NotFound => ToolFailed::new(io.to_string()).into(),
///             _ => error,
///         })
///     }
/// }
///
/// /// Read a file.
/// #[tool]
/// fn read(path: String) -> std::io::Result<String> {
///     std::fs::read_to_string(path)
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let agent = Agent::<()>::builder(TestModel::new()).tools(tools![read]).capability(Files).build()?;
/// let result = agent.run("Read it.").run_blocking()?;
/// assert!(result.output().contains("error") || result.output().contains("No such file"));
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no capability for an agent whose dependencies are `{D}`",
    label = "expected a `Capability<{D}>`",
    note = "a tool, a toolset or a hook is one once it is wrapped: `Bundle::new().tools(…)`, `Bundle::new().toolset(…)`, \
            `PrepareTools::new(…)`",
    note = "a capability that reads no dependencies fits every agent when it is implemented for all of them: \
            `impl<D: Send + Sync + 'static> Capability<D> for …`"
)]
pub trait Capability<D: Send + Sync + 'static>: Send + Sync + 'static {
    /// The name that errors and step reports call it by, and the model, where it is loaded [on demand](OnDemand). No two of
    /// an agent have the same.
    fn id(&self) -> Option<&str> {
        None
    }

    /// What it is for: told to the model, where it is loaded on demand.
    fn description(&self) -> Option<&str> {
        None
    }

    /// Whether its instructions, tools, settings and hooks hold only once the model has loaded it. It needs an
    /// [`id`](Self::id) then. See [`OnDemand`], which makes any capability one that is loaded.
    fn defer_loading(&self) -> bool {
        false
    }

    /// What it tells the model, after the agent's own instructions; the step's tools are known by then.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn instructions(&self, ctx: &RunContext<D>) -> impl Future<Output = HookResult<Option<String>>> + Send {
        let _ = ctx;
        async { Ok(None) }
    }

    /// The tools it brings, after the agent's own toolsets. Asked for once, when the agent is built.
    fn toolsets(&self) -> Vec<AnyToolset<D>> {
        Vec::new()
    }

    /// How the model is to answer in this step: over the agent's settings, under the run's. This may force tools.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn settings(&self, ctx: &RunContext<D>) -> impl Future<Output = HookResult<ModelSettings>> + Send {
        let _ = ctx;
        async { Ok(ModelSettings::default()) }
    }

    /// Edits, orders and leaves out the function tools of each step, after each tool's own `prepare`.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn prepare_tools(
        &self,
        ctx: &RunContext<D>,
        tools: Vec<ToolDefinition>,
    ) -> impl Future<Output = HookResult<Vec<ToolDefinition>>> + Send {
        let _ = ctx;
        async { Ok(tools) }
    }

    /// Edits, orders and leaves out the output tools of each step.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn prepare_output_tools(
        &self,
        ctx: &RunContext<D>,
        tools: Vec<ToolDefinition>,
    ) -> impl Future<Output = HookResult<Vec<ToolDefinition>>> + Send {
        let _ = ctx;
        async { Ok(tools) }
    }

    /// Edits the conversation before each request. What it gives back is kept: it is the run's history from then on. It is
    /// not empty, and ends with the request that is about to be sent. Tools whose evidence it drops are hidden again.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn process_history(
        &self,
        ctx: &RunContext<D>,
        history: History,
    ) -> impl Future<Output = HookResult<History>> + Send {
        let _ = ctx;
        async { Ok(history) }
    }

    /// Stands around each request to the model. A [`ModelRetry`](crate::ModelRetry) asks the model again, with that message;
    /// it counts as an attempt at the run's output.
    ///
    /// # Errors
    ///
    /// What ends the run, or asks the model again.
    fn wrap_model_request(
        &self,
        ctx: &RunContext<D>,
        input: ModelInput,
        mut next: NextRequest<'_, D>,
    ) -> impl Future<Output = HookResult<ModelResponse>> + Send {
        let _ = ctx;
        async move { next.run(input).await }
    }

    /// Stands around the reading and checking of each call's arguments. It can change them for the tool, which the history
    /// does not show; give a call back to the model with [`ModelRetry`](crate::ModelRetry) or
    /// [`ToolFailed`](crate::ToolFailed); or let it wait, after `next` has passed it, with
    /// [`ApprovalRequired`](crate::ApprovalRequired) or [`CallDeferred`](crate::CallDeferred). Output tools are not among
    /// the calls. A hook that runs nothing and gives `Ok` passes over the tool's own validator.
    ///
    /// # Errors
    ///
    /// What becomes of the call; any other error ends the run.
    fn wrap_tool_validation(
        &self,
        ctx: &RunContext<D>,
        call: ToolInvocation<'_>,
        mut next: NextToolValidation<'_, D>,
    ) -> impl Future<Output = HookResult<()>> + Send {
        let _ = ctx;
        async move { next.run(call).await }
    }

    /// Stands around the execution of each call, beside those of others: also of the library's own tools, which search and
    /// load. Its errors are taken as the tool's own. The tool's
    /// timeout does not count what the hook itself does.
    ///
    /// # Errors
    ///
    /// What becomes of the call; any other error ends the run.
    fn wrap_tool_execution(
        &self,
        ctx: &RunContext<D>,
        call: ToolInvocation<'_>,
        mut next: NextToolExecution<'_, D>,
    ) -> impl Future<Output = HookResult<ToolReturn>> + Send {
        let _ = ctx;
        async move { next.run(call).await }
    }

    /// Answers calls that would wait for somebody outside, inside the run. It is given those that the capabilities before it
    /// left open.
    ///
    /// # Errors
    ///
    /// What ends the run.
    fn handle_deferred(
        &self,
        ctx: &RunContext<D>,
        requests: DeferredToolRequests,
    ) -> impl Future<Output = HookResult<Option<DeferredToolResults>>> + Send {
        let _ = (ctx, requests);
        async { Ok(None) }
    }

    /// What the library's own capabilities bring besides.
    #[doc(hidden)]
    fn internals(&self) -> Internals<'_, D> {
        Internals::default()
    }
}

/// What can be done to any capability.
pub trait CapabilityExt<D: Send + Sync + 'static>: Capability<D> + Sized {
    /// Hides the capability's type.
    fn boxed(self) -> AnyCapability<D> {
        AnyCapability::new(self)
    }

    /// Puts `prefix` and an underscore before the names of the capability's tools.
    fn prefix_tools(self, prefix: impl Into<String>) -> PrefixTools<Self> {
        PrefixTools::new(prefix, self)
    }

    /// Lets the model decide when the capability holds; see [`OnDemand`].
    fn on_demand(self, id: impl Into<String>, description: impl Into<String>) -> OnDemand<Self> {
        OnDemand::new(id, description, self)
    }
}

impl<D: Send + Sync + 'static, C: Capability<D>> CapabilityExt<D> for C {}

/// What the library's own capabilities bring besides: what cannot be said with hooks, and which hooks need not be called.
#[doc(hidden)]
#[non_exhaustive]
pub struct Internals<'a, D> {
    pub(crate) hooks: Hooks,
    pub(crate) tool_search: Option<&'a ToolSearch<D>>,
    pub(crate) blocking_pool: Option<&'a BlockingPool>,
    /// What errors call it.
    pub(crate) label: Option<Cow<'static, str>>,
}

impl<D> Default for Internals<'_, D> {
    fn default() -> Self {
        Self { hooks: Hooks::ALL, tool_search: None, blocking_pool: None, label: None }
    }
}

/// The hooks of a capability that are worth calling: of a capability of the application's, all.
#[doc(hidden)]
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hooks {
    pub(crate) context: bool,
    pub(crate) prepare_tools: bool,
    pub(crate) prepare_output_tools: bool,
    pub(crate) process_history: bool,
    pub(crate) around: bool,
    pub(crate) handle_deferred: bool,
}

impl Hooks {
    /// Every hook.
    pub(crate) const ALL: Self = Self {
        context: true,
        prepare_tools: true,
        prepare_output_tools: true,
        process_history: true,
        around: true,
        handle_deferred: true,
    };
    /// No hook.
    pub(crate) const NONE: Self = Self {
        context: false,
        prepare_tools: false,
        prepare_output_tools: false,
        process_history: false,
        around: false,
        handle_deferred: false,
    };
}

/// Hands everything on to the capability in the field `inner`, but for what the wrapper says itself.
macro_rules! delegate {
    ($($method:ident)*) => {
        $($crate::capability::delegate!(@ $method);)*
    };
    (@ id) => { fn id(&self) -> Option<&str> { self.inner.id() } };
    (@ description) => { fn description(&self) -> Option<&str> { self.inner.description() } };
    (@ defer_loading) => { fn defer_loading(&self) -> bool { self.inner.defer_loading() } };
    (@ toolsets) => { fn toolsets(&self) -> Vec<$crate::toolset::AnyToolset<D>> { self.inner.toolsets() } };
    (@ hooks) => {
        async fn instructions(
            &self,
            ctx: &$crate::RunContext<D>,
        ) -> $crate::capability::HookResult<Option<String>> {
            self.inner.instructions(ctx).await
        }

        async fn settings(
            &self,
            ctx: &$crate::RunContext<D>,
        ) -> $crate::capability::HookResult<$crate::ModelSettings> {
            self.inner.settings(ctx).await
        }

        async fn prepare_tools(
            &self,
            ctx: &$crate::RunContext<D>,
            tools: Vec<$crate::ToolDefinition>,
        ) -> $crate::capability::HookResult<Vec<$crate::ToolDefinition>> {
            self.inner.prepare_tools(ctx, tools).await
        }

        async fn prepare_output_tools(
            &self,
            ctx: &$crate::RunContext<D>,
            tools: Vec<$crate::ToolDefinition>,
        ) -> $crate::capability::HookResult<Vec<$crate::ToolDefinition>> {
            self.inner.prepare_output_tools(ctx, tools).await
        }

        async fn process_history(
            &self,
            ctx: &$crate::RunContext<D>,
            history: $crate::History,
        ) -> $crate::capability::HookResult<$crate::History> {
            self.inner.process_history(ctx, history).await
        }

        async fn wrap_model_request(
            &self,
            ctx: &$crate::RunContext<D>,
            input: $crate::model::ModelInput,
            mut next: $crate::capability::NextRequest<'_, D>,
        ) -> $crate::capability::HookResult<$crate::message::ModelResponse> {
            self.inner.wrap_model_request(ctx, input, next.reborrow()).await
        }

        async fn wrap_tool_validation(
            &self,
            ctx: &$crate::RunContext<D>,
            call: $crate::capability::ToolInvocation<'_>,
            mut next: $crate::capability::NextToolValidation<'_, D>,
        ) -> $crate::capability::HookResult<()> {
            self.inner.wrap_tool_validation(ctx, call, next.reborrow()).await
        }

        async fn wrap_tool_execution(
            &self,
            ctx: &$crate::RunContext<D>,
            call: $crate::capability::ToolInvocation<'_>,
            mut next: $crate::capability::NextToolExecution<'_, D>,
        ) -> $crate::capability::HookResult<$crate::ToolReturn> {
            self.inner.wrap_tool_execution(ctx, call, next.reborrow()).await
        }

        async fn handle_deferred(
            &self,
            ctx: &$crate::RunContext<D>,
            requests: $crate::DeferredToolRequests,
        ) -> $crate::capability::HookResult<Option<$crate::DeferredToolResults>> {
            self.inner.handle_deferred(ctx, requests).await
        }

        fn internals(&self) -> $crate::capability::Internals<'_, D> {
            self.inner.internals()
        }
    };
}
pub(crate) use delegate;
