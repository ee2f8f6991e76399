//! Says what an agent is.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Agent, AgentShared, EndStrategy, Instructions, InstructionsFunction};
use crate::capability::{
    AnyCapability, Capabilities, Capability, Entry, HandleDeferredToolCalls, PrepareOutputTools, PrepareTools,
    StepSettings,
};
use crate::choice;
use crate::context::RunContext;
use crate::deferred::{DeferredHandler, MaybeDeferred};
use crate::error::{Error, Result};
use crate::model::{AnyModel, Model, ModelSettings};
use crate::native::NativeTool;
use crate::output::{BoxedOutputValidator, FromContext, OutputSpec, OutputValidator, boxed_output_validator, of_done};
use crate::prepare::ToolsPrepare;
use crate::retry::Retries;
use crate::schema::never_strict;
use crate::search::ToolSearch;
use crate::tool::kind::check_kind;
use crate::tool::{Tool, ToolDefinition};
use crate::toolset::{Defined, FunctionToolset, Member, Toolset, ToolsetExt};
use crate::trace::ContentSwitch;

/// Says what an agent is; [`build`](Self::build) checks it. Made with [`Agent::builder`].
#[must_use]
pub struct AgentBuilder<D, O> {
    name: Option<String>,
    model: AnyModel,
    instructions: Vec<Instructions<D>>,
    tools: Vec<Tool<D>>,
    tool_timeout: Option<Duration>,
    toolsets: Vec<Member<D>>,
    capabilities: Vec<Entry<D>>,
    output: OutputSpec<O, RunContext<D>>,
    output_validators: Vec<BoxedOutputValidator<D, O>>,
    /// Whether validators were given before the output that they were to look at.
    has_late_output: bool,
    retries: Retries,
    settings: ModelSettings,
    end_strategy: EndStrategy,
    trace_content: ContentSwitch,
    stable_prefix: bool,
    native_tools: Vec<NativeTool>,
}

impl<D: Send + Sync + 'static> AgentBuilder<D, String> {
    pub(super) fn new(model: AnyModel) -> Self {
        Self {
            name: None,
            model,
            instructions: Vec::new(),
            tools: Vec::new(),
            tool_timeout: None,
            toolsets: Vec::new(),
            capabilities: Vec::new(),
            output: OutputSpec::text().of_agent(),
            output_validators: Vec::new(),
            has_late_output: false,
            retries: Retries::default(),
            settings: ModelSettings::default(),
            end_strategy: EndStrategy::default(),
            trace_content: ContentSwitch::default(),
            stable_prefix: false,
            native_tools: Vec::new(),
        }
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static> AgentBuilder<D, O> {
    /// Names the agent.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Tells the model what it is to do. Several are joined by an empty line.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions.push(Instructions::Text(text.into()));
        self
    }

    /// Tells the model at each step what it is to do, or nothing; the step's tools are known by then. The function takes
    /// `&RunContext<D>` (or, `async` or not, `RunContext<D>`) or nothing; a closure's parameter needs its type.
    pub fn instructions_fn<Form>(mut self, function: impl InstructionsFunction<D, Form>) -> Self {
        self.instructions.push(Instructions::function(function));
        self
    }

    /// Adds a tool.
    pub fn tool(mut self, tool: impl Into<Tool<D>>) -> Self {
        self.tools.push(tool.into());
        self
    }

    /// Adds tools, in order: `.tools(tools![search, book])`.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool<D>>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// How long a call of one of the agent's own tools may take, where the tool does not say.
    pub fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.tool_timeout = Some(timeout);
        self
    }

    /// Adds a toolset, after the agent's own tools and the toolsets before it.
    pub fn toolset(mut self, toolset: impl Toolset<D>) -> Self {
        let place = self.toolsets.len() + 1;
        self.toolsets.push(member(toolset, || format!("toolset number {place}")));
        self
    }

    /// Adds a tool that the model's provider itself runs, such as its web search; see [`native`](crate::native).
    ///
    /// Where the provider does not have it, runs are misuse, unless it is [optional](NativeTool::optional) or a function tool is
    /// there in its place ([`ToolDefinition::unless_native`]).
    pub fn native_tool(mut self, tool: impl Into<NativeTool>) -> Self {
        self.native_tools.push(tool.into());
        self
    }

    /// Lets a hook edit, order and leave out the tools of each step, after each tool's own `prepare`. Several run in
    /// order, each on what the one before gave back. Output tools are not among them
    /// (specification: "Agent-wide Dynamic Tools").
    pub fn prepare_tools<Form>(self, hook: impl ToolsPrepare<D, Form>) -> Self {
        self.capability(PrepareTools::new(hook))
    }

    /// Lets a hook edit, order and leave out the output tools of each step.
    pub fn prepare_output_tools<Form>(self, hook: impl ToolsPrepare<D, Form>) -> Self {
        self.capability(PrepareOutputTools::new(hook))
    }

    /// Adds a [capability](crate::capability), after those before it: instructions, toolsets, settings and hooks that belong
    /// together.
    pub fn capability(mut self, capability: impl Capability<D>) -> Self {
        self.capabilities.push(Entry::next(&self.capabilities, AnyCapability::new(capability)));
        self
    }

    /// Says what a run comes to; text, unless said otherwise. It comes before
    /// [output validators](Self::output_validator).
    pub fn output<P, C>(self, output: OutputSpec<P, C>) -> AgentBuilder<D, P>
    where
        P: Send + 'static,
        C: FromContext<RunContext<D>>,
    {
        let has_late_output = self.has_late_output || !self.output_validators.is_empty();
        let builder = self.with_output(|_| output.of_agent(), |_| Vec::new());
        AgentBuilder { has_late_output, ..builder }
    }

    /// Lets a function look at an output before it ends the run, and change it. Several run in order, each on what the one
    /// before gave back.
    ///
    /// A plain function takes `&RunContext<D>` (or `RunContext<D>`) and the output, an `async` one `RunContext<D>` and the
    /// output. It returns the output, or a `Result` of it: a [`ModelRetry`](crate::ModelRetry) asks the model to try again,
    /// within the budget that the output has ([`Retries::output`], or its tool's own); any other error ends the run,
    /// [`ToolFailed`](crate::ToolFailed) too (specification: "Requesting a Tool Retry").
    ///
    /// Every output is looked at, however it came about: text, the arguments of an output tool, what a function made of
    /// them. Calls that wait ([`allow_deferred`](Self::allow_deferred)) are no output, and neither is one that still streams
    /// in. Where another tool of the same response asks for a retry, the run goes on though its output has passed; a later
    /// one is looked at anew. [`RunContext::retry`] says how often the run's output was asked for again.
    ///
    /// ```
    /// use toolwright::model::TestModel;
    /// use toolwright::{Agent, ModelRetry, RunContext};
    ///
    /// async fn has_an_end(ctx: RunContext<()>, text: String) -> Result<String, ModelRetry> {
    ///     if text.ends_with('.') || ctx.last_attempt() { Ok(text) } else { Err(ModelRetry::new("End with a full stop.")) }
    /// }
    ///
    /// # #[tokio::main]
    /// # async fn main() -> toolwright::Result<()> {
    /// let agent = Agent::<()>::builder(TestModel::new())
    ///     .output_validator(has_an_end)
    ///     .output_validator(|_: &RunContext<()>, text: String| text.to_uppercase())
    ///     .build()?;
    /// let result = agent.run("Hello.").await?;
    /// assert_eq!(result.output(), "SUCCESS (NO TOOL CALLS)");
    /// assert_eq!(result.usage().requests, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn output_validator<Form>(mut self, validator: impl OutputValidator<D, O, Form>) -> Self {
        self.output_validators.push(boxed_output_validator(validator));
        self
    }

    /// Lets runs end with calls that wait for somebody outside.
    pub fn allow_deferred(self) -> AgentBuilder<D, MaybeDeferred<O>> {
        let output = |output: OutputSpec<O, RunContext<D>>| {
            let mut output = output.wrapped(MaybeDeferred::Done);
            output.deferred = Some(MaybeDeferred::Deferred);
            output
        };
        self.with_output(output, |validators| validators.into_iter().map(of_done).collect())
    }

    fn with_output<P>(
        self,
        output: impl FnOnce(OutputSpec<O, RunContext<D>>) -> OutputSpec<P, RunContext<D>>,
        validators: impl FnOnce(Vec<BoxedOutputValidator<D, O>>) -> Vec<BoxedOutputValidator<D, P>>,
    ) -> AgentBuilder<D, P> {
        AgentBuilder {
            output: output(self.output),
            output_validators: validators(self.output_validators),
            has_late_output: self.has_late_output,
            name: self.name,
            model: self.model,
            instructions: self.instructions,
            tools: self.tools,
            tool_timeout: self.tool_timeout,
            toolsets: self.toolsets,
            capabilities: self.capabilities,
            retries: self.retries,
            settings: self.settings,
            end_strategy: self.end_strategy,
            trace_content: self.trace_content,
            stable_prefix: self.stable_prefix,
            native_tools: self.native_tools,
        }
    }

    /// How often the model may be asked to try again.
    pub fn retries(mut self, retries: impl Into<Retries>) -> Self {
        self.retries = self.retries.merged(retries.into());
        self
    }

    /// How the model is to answer.
    pub fn settings(mut self, settings: ModelSettings) -> Self {
        self.settings = self.settings.merged(&settings);
        self
    }

    /// How the model is to answer in each step, over [`settings`](Self::settings); of several, later ones over earlier ones.
    /// This may force tools.
    pub fn step_settings(self, settings: impl Fn(&RunContext<D>) -> ModelSettings + Send + Sync + 'static) -> Self {
        self.capability(StepSettings::new(settings))
    }

    /// What becomes of a response's other calls once the run has its output.
    pub fn end_strategy(mut self, strategy: EndStrategy) -> Self {
        self.end_strategy = strategy;
        self
    }

    /// Answers calls that would wait for somebody outside, inside the run. What it leaves open goes to the next handler, and
    /// what the last one leaves open waits.
    ///
    /// The handler takes `&RunContext<D>` (or, `async` or not, `RunContext<D>`) and the [requests]; it returns
    /// [results], an `Option` of them, or a `Result` of either, whose error ends the run.
    ///
    /// [requests]: crate::DeferredToolRequests
    /// [results]: crate::DeferredToolResults
    pub fn handle_deferred<Form>(self, handler: impl DeferredHandler<D, Form>) -> Self {
        self.capability(HandleDeferredToolCalls::new(handler))
    }

    /// How tools that are hidden until found are searched; automatically, unless set. Of several, the last counts.
    pub fn tool_search(self, search: ToolSearch<D>) -> Self {
        self.capability(search)
    }

    /// Ends a run whose step changes what the provider has cached of the step before, with an error that names what: for tests
    /// of agents that are to stay cheap. Without it, [`StepReport::moved`](crate::StepReport::moved) tells of it.
    pub fn stable_prefix(mut self) -> Self {
        self.stable_prefix = true;
        self
    }

    /// Whether spans hold what conversations hold: instructions, messages, tool definitions, the arguments and results of
    /// calls, and the words of errors. They do not unless this says so; see [`docs::traces`](crate::docs::traces).
    #[cfg(feature = "tracing")]
    pub fn trace_content(mut self, content: bool) -> Self {
        self.trace_content = ContentSwitch::new(content);
        self
    }

    /// Checks it all.
    ///
    /// # Errors
    ///
    /// Misuse: two of the agent's own tools of one name, an annotated function that does not fit its kind, or that is to be strict and cannot, a timeout of zero, a tool choice that
    /// never lets a run end, an output validator before the output.
    pub fn build(self) -> Result<Agent<D, O>> {
        if self.has_late_output {
            return Err(Error::misuse(
                "`.output(…)` comes after an output validator, which looks at another output; put `.output_validator(…)` \
                 behind it",
            ));
        }
        check_timeouts(self.tool_timeout, &self.tools)?;
        for tool in self.tools.iter().filter(|tool| tool.inner().defined_at.is_some()) {
            check_kind(tool.definition())?;
            check_strict(tool.definition())?;
        }
        let output = self.output.finish()?;
        let outputs: Vec<ToolDefinition> = output.tools.iter().map(|tool| tool.definition().clone()).collect();
        for settings in [self.model.settings(), Some(&self.settings)].into_iter().flatten() {
            choice::check_static(settings.tool_choice.as_ref(), &outputs)?;
        }
        let mut own_tools = FunctionToolset::new().with_tools(self.tools);
        if let Some(timeout) = self.tool_timeout {
            own_tools = own_tools.with_timeout(timeout);
        }
        own_tools.check()?;
        let mut members = vec![Member { toolset: own_tools.clone().boxed(), label: "the agent".into() }];
        members.extend(self.toolsets);
        let capabilities = Capabilities::new(self.capabilities)?;
        members.extend(capabilities.members(0));
        Ok(Agent(Arc::new(AgentShared {
            name: self.name,
            model: self.model,
            instructions: self.instructions,
            own_tools,
            members,
            capabilities,
            output,
            output_validators: self.output_validators,
            retries: self.retries,
            settings: self.settings,
            end_strategy: self.end_strategy,
            trace_content: self.trace_content,
            stable_prefix: self.stable_prefix,
            native_tools: self.native_tools.into(),
        })))
    }
}

/// A toolset as one of several, with what errors call it.
pub(super) fn member<D: Send + Sync + 'static>(
    toolset: impl Toolset<D>,
    unnamed: impl FnOnce() -> String,
) -> Member<D> {
    let label = toolset.id().map_or_else(unnamed, |id| format!("toolset `{id}`"));
    Member { toolset: toolset.boxed(), label: label.into() }
}

/// Refuses an annotated function that is to be strict, where something inside its parameters cannot be.
fn check_strict(tool: &ToolDefinition) -> Result<()> {
    let obstacles = if tool.strict() == Some(true) { never_strict(tool.parameters()) } else { Vec::new() };
    if obstacles.is_empty() {
        return Ok(());
    }
    Err(Error::misuse(format!(
        "tool `{}` cannot be strict: {}; change the type, or leave out `strict`",
        tool.name(),
        obstacles.join("; ")
    )))
}

fn check_timeouts<D>(tool_timeout: Option<Duration>, tools: &[Tool<D>]) -> Result<()> {
    if tool_timeout.is_some_and(|timeout| timeout.is_zero()) {
        return Err(Error::misuse("`tool_timeout` is zero, which no call can meet; leave it out for no timeout"));
    }
    match tools.iter().find(|tool| tool.definition().timeout().is_some_and(|timeout| timeout.is_zero())) {
        Some(tool) => Err(Error::misuse(format!(
            "the timeout of tool `{}` is zero, which no call can meet; leave it out for no timeout",
            tool.name()
        ))),
        None => Ok(()),
    }
}

impl<D, O> fmt::Debug for AgentBuilder<D, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentBuilder")
            .field("name", &self.name)
            .field("model", &self.model.name())
            .field("tools", &self.tools)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}
