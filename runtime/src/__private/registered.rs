//! Registering annotated functions with agents. Method lookup passes over what does not fit: it has its error elsewhere.

use std::marker::PhantomData;

use crate::agent::{Add, AgentBuilder, InstructionsFunction, RegisteredAgent, Registry};
use crate::output::OutputValidator;
use crate::prepare::ToolsPrepare;
use crate::tool::{Tool, TypedTool};

/// The one place where an agent has to be one: a type that is none has one error, however often it is used.
pub fn agent_type<A: RegisteredAgent>() {}

/// Dependencies of what is registered with the agent `A`, whose own are `T`.
#[diagnostic::on_unimplemented(
    message = "the dependencies of `{A}` are `{T}`, and this is for `{Self}`",
    label = "not the dependencies of `{A}`",
    note = "take `RunContext<{T}>`, or register it with an agent whose dependencies are `{Self}`"
)]
pub trait DepsOf<A, T> {}

#[diagnostic::do_not_recommend]
impl<A, T> DepsOf<A, T> for T {}

/// An output that is looked at for the agent `A`, whose own is `T`.
#[diagnostic::on_unimplemented(
    message = "the output of `{A}` is `{T}`, and this is for `{Self}`",
    label = "not the output of `{A}`",
    note = "take and return `{T}`, or register it with an agent whose output is `{Self}`"
)]
pub trait OutputFor<A, T> {}

#[diagnostic::do_not_recommend]
impl<A, T> OutputFor<A, T> for T {}

/// An agent that something is registered with.
pub struct AgentOf<A>(PhantomData<fn() -> A>);

impl<A> AgentOf<A> {
    /// The agent `A`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only macros call this")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Where it stands: its `order`, its module and its name.
type At = (i32, &'static str, &'static str);

impl<A: RegisteredAgent> AgentOf<A> {
    /// Checks that the agent comes to outputs of the type `O`.
    pub fn output<O: OutputFor<A, A::Output>>(self) {}

    /// Registers what wants dependencies of the type `D`.
    #[track_caller]
    pub fn register<D: DepsOf<A, A::Deps> + 'static>(self, registry: &mut Registry, at: At, add: Add<A, D>) {
        registry.add::<A, D>(at, add);
    }

    /// Registers what fits every agent.
    #[track_caller]
    pub fn register_any(self, registry: &mut Registry, at: At, add: Add<A, A::Deps>) {
        registry.add::<A, A::Deps>(at, add);
    }
}

/// Types that are no agents.
pub trait NoAgent: Sized {
    /// Checks nothing.
    fn output<O>(self) {}

    /// Registers nothing.
    fn register<D>(self, _: &mut Registry, _: At, _: fn(AgentBuilder<D, String>) -> AgentBuilder<D, String>) {}

    /// Registers nothing.
    fn register_any(self, _: &mut Registry, _: At, _: fn(AgentBuilder<(), String>) -> AgentBuilder<(), String>) {}
}

impl<A> NoAgent for AgentOf<A> {}

/// A function, on its way into an agent.
pub struct Adding<D, O, F, Form> {
    builder: AgentBuilder<D, O>,
    function: F,
    form: PhantomData<fn() -> Form>,
}

impl<D, O, F, Form> Adding<D, O, F, Form> {
    /// Adds a function of some form.
    pub fn new(builder: AgentBuilder<D, O>, function: F) -> Self {
        Self { builder, function, form: PhantomData }
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static, T: TypedTool<D>> Adding<D, O, PhantomData<T>, ()> {
    /// As a tool.
    pub fn tool(self) -> AgentBuilder<D, O> {
        self.builder.tool(Tool::typed::<T>())
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static, F: ToolsPrepare<D, Form>, Form> Adding<D, O, F, Form> {
    /// As a hook over the tools of each step.
    pub fn prepare_tools(self) -> AgentBuilder<D, O> {
        self.builder.prepare_tools(self.function)
    }

    /// As a hook over the output tools of each step.
    pub fn prepare_output_tools(self) -> AgentBuilder<D, O> {
        self.builder.prepare_output_tools(self.function)
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static, F: InstructionsFunction<D, Form>, Form> Adding<D, O, F, Form> {
    /// As instructions.
    pub fn instructions_fn(self) -> AgentBuilder<D, O> {
        self.builder.instructions_fn(self.function)
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static, F: OutputValidator<D, O, Form>, Form> Adding<D, O, F, Form> {
    /// As an output validator.
    pub fn output_validator(self) -> AgentBuilder<D, O> {
        self.builder.output_validator(self.function)
    }
}

/// Functions that do not fit, in programs that the compiler refuses.
pub trait Unfit<D, O>: Sized {
    /// Never runs.
    fn tool(self) -> AgentBuilder<D, O> {
        refused()
    }

    /// Never runs.
    fn prepare_tools(self) -> AgentBuilder<D, O> {
        refused()
    }

    /// Never runs.
    fn prepare_output_tools(self) -> AgentBuilder<D, O> {
        refused()
    }

    /// Never runs.
    fn instructions_fn(self) -> AgentBuilder<D, O> {
        refused()
    }

    /// Never runs.
    fn output_validator(self) -> AgentBuilder<D, O> {
        refused()
    }
}

// Of one form only: which form a function has that has none, nobody could tell.
impl<D, O, F> Unfit<D, O> for Adding<D, O, F, ()> {}

fn refused() -> ! {
    unreachable!("a function that does not fit its agent was compiled")
}
