//! Agents: a model, tools, and the rules by which they work together.

mod builder;
mod calls;
mod collect;
mod deferral;
mod end_strategy;
mod execute;
mod hooks;
mod instructions;
mod nested;
mod newcomers;
mod output;
mod registered;
mod report;
mod result;
mod resume;
mod run;
mod state;
mod steps;
mod stream;
mod structured;
mod suspended;
mod turn;
mod within;

use std::fmt;
use std::sync::Arc;

pub use builder::AgentBuilder;
pub use end_strategy::EndStrategy;
pub(crate) use instructions::Instructions;
pub use instructions::{InstructionsFunction, IntoInstructions};
pub(crate) use registered::Add;
pub use registered::RegisteredAgent;
#[doc(hidden)]
pub use registered::{REGISTERED, Registry};
pub use result::RunResult;
pub use run::{HasDeps, NeedsDeps, Run};
pub use stream::RunStream;

use crate::capability::Capabilities;
use crate::context::RunContext;
use crate::message::{History, Prompt};
use crate::model::{AnyModel, Model, ModelSettings};
use crate::native::NativeTool;
use crate::output::{BoxedOutputValidator, OutputSpec};
use crate::retry::Retries;
use crate::toolset::{FunctionToolset, Member};
use crate::trace::ContentSwitch;

/// A model with tools, for dependencies of type `D` and outputs of type `O`.
///
/// Cloning shares everything. See [`Agent::builder`].
pub struct Agent<D, O = String>(Arc<AgentShared<D, O>>);

pub(crate) struct AgentShared<D, O> {
    name: Option<String>,
    model: AnyModel,
    instructions: Vec<Instructions<D>>,
    own_tools: FunctionToolset<D>,
    members: Vec<Member<D>>,
    capabilities: Capabilities<D>,
    output: OutputSpec<O, RunContext<D>>,
    output_validators: Vec<BoxedOutputValidator<D, O>>,
    retries: Retries,
    settings: ModelSettings,
    end_strategy: EndStrategy,
    trace_content: ContentSwitch,
    stable_prefix: bool,
    native_tools: Arc<[NativeTool]>,
}

/// What the dependencies of an agent can be: anything that its tools can share, wherever they run.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the dependencies of an agent",
    label = "not `Send`, `Sync` and `'static`",
    note = "tools that run side by side share them: take `Arc` in place of `Rc`, and a `Mutex`, an `RwLock` or an atomic in place of \
            `Cell` and `RefCell`"
)]
pub trait Dependencies: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<D: Send + Sync + 'static> Dependencies for D {}

impl<D> Agent<D> {
    /// Builds an agent around `model`. The type of the dependencies comes first: `Agent::<Db>::builder(model)`, and
    /// `Agent::<()>::builder(model)` where there are none.
    pub fn builder(model: impl Model) -> AgentBuilder<D, String>
    where
        D: Dependencies,
    {
        AgentBuilder::new(AnyModel::new(model))
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static> Agent<D, O> {
    /// Starts a run with what the user says. Await it, after what else there is to say about it:
    ///
    /// ```
    /// # use toolwright::{Agent, model::TestModel};
    /// # fn main() -> toolwright::Result<()> {
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runtime").block_on(async {
    /// let agent = Agent::<i32>::builder(TestModel::new()).build()?;
    /// let result = agent.run("What is it?").deps(42).await?;
    /// assert_eq!(result.output(), "success (no tool calls)");
    /// # Ok(()) })
    /// # }
    /// ```
    pub fn run(&self, prompt: impl Into<Prompt>) -> Run<D, O> {
        Run::new(self.clone(), Some(prompt.into()), History::new())
    }

    /// Goes on with a conversation without anything new from the user: calls that wait are run, or answered with
    /// [`Run::results`].
    pub fn resume(&self, history: impl Into<History>) -> Run<D, O> {
        Run::new(self.clone(), None, history.into())
    }

    /// The agent's name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// The agent's own tools. Tools that are added are seen by runs that go on, from their next step.
    #[must_use]
    pub fn tools(&self) -> &FunctionToolset<D> {
        &self.0.own_tools
    }
}

impl<D, O> Clone for Agent<D, O> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<D, O> fmt::Debug for Agent<D, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent")
            .field("name", &self.0.name)
            .field("model", &self.0.model.name())
            .field("toolsets", &self.0.members.iter().map(|member| &*member.label).collect::<Vec<_>>())
            .field("output", &self.0.output)
            .finish_non_exhaustive()
    }
}
