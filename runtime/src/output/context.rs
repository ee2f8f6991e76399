//! The contexts that outputs are made in: that of an agent, or none.

use crate::context::RunContext;

/// The context of outputs whose functions take none: they fit every agent, whatever its dependencies are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoContext;

/// A context that can be had from `Given`: an agent's from itself, and [`NoContext`] from any.
///
/// It is implemented for these, and for nothing else.
#[diagnostic::on_unimplemented(
    message = "the output's functions take `{Self}`, and the agent gives them `{Given}`",
    label = "the output is of an agent with other dependencies",
    note = "an agent's outputs take the context of its own dependencies, or none"
)]
pub trait FromContext<Given>: sealed::Context {
    /// The context.
    fn from_context(given: &Given) -> &Self;
}

impl<D: 'static> FromContext<RunContext<D>> for RunContext<D> {
    fn from_context(given: &RunContext<D>) -> &Self {
        given
    }
}

impl<Given> FromContext<Given> for NoContext {
    fn from_context(_: &Given) -> &Self {
        &NoContext
    }
}

/// A context that can be joined with `Other`: two outputs of one agent take the same context, or one of them takes none.
///
/// It is implemented for these, and for nothing else.
#[diagnostic::on_unimplemented(
    message = "one output's functions take `{Self}`, and another's `{Other}`",
    label = "outputs of one agent take the context of the same dependencies, or none"
)]
pub trait JoinContext<Other>: sealed::Context + Sized {
    /// The one that both can be had from.
    type Joined: sealed::Context;

    /// This one.
    fn this(joined: &Self::Joined) -> &Self;

    /// The other one.
    fn other(joined: &Self::Joined) -> &Other;
}

impl JoinContext<NoContext> for NoContext {
    type Joined = Self;

    fn this(joined: &Self) -> &Self {
        joined
    }

    fn other(joined: &Self) -> &Self {
        joined
    }
}

impl<D: 'static> JoinContext<RunContext<D>> for NoContext {
    type Joined = RunContext<D>;

    fn this(_: &RunContext<D>) -> &Self {
        &NoContext
    }

    fn other(joined: &RunContext<D>) -> &RunContext<D> {
        joined
    }
}

impl<D: 'static> JoinContext<NoContext> for RunContext<D> {
    type Joined = Self;

    fn this(joined: &Self) -> &Self {
        joined
    }

    fn other(_: &Self) -> &NoContext {
        &NoContext
    }
}

impl<D: 'static> JoinContext<RunContext<D>> for RunContext<D> {
    type Joined = Self;

    fn this(joined: &Self) -> &Self {
        joined
    }

    fn other(joined: &Self) -> &Self {
        joined
    }
}

mod sealed {
    use crate::context::RunContext;

    /// A context that outputs can be made in.
    pub trait Context: 'static {}
    impl Context for super::NoContext {}
    impl<D: 'static> Context for RunContext<D> {}
}
