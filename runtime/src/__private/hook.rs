//! Checks of contexts and hooks, each with an error at the user's own tokens.

use crate::agent::{Dependencies, IntoInstructions};
use crate::context::RunContext;
use crate::output::ValidatedOutput;
use crate::prepare::PreparedList;
use crate::tool::ToolDefinition;

/// The run's context, by whatever name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the run's context",
    label = "marked `#[ctx]`, but no `RunContext`",
    note = "remove `#[ctx]` if the model is to fill in the parameter"
)]
pub trait Context {
    /// The type of the dependencies.
    type Deps: Send + Sync + 'static;

    /// The context, by the name by which a function takes it.
    fn of(ctx: RunContext<Self::Deps>) -> Self;
}

impl<D: Send + Sync + 'static> Context for RunContext<D> {
    type Deps = D;

    fn of(ctx: Self) -> Self {
        ctx
    }
}

/// A list that a hook can take.
#[diagnostic::on_unimplemented(
    message = "a prepare hook cannot take `{Self}`",
    label = "expected `Vec<ToolDefinition>`",
    note = "it takes the tools of the step as a `Vec<ToolDefinition>`"
)]
pub trait ToolList {}

impl ToolList for Vec<ToolDefinition> {}

/// Checks the dependencies of a hook.
pub fn deps<D: Dependencies>() {}

/// Checks what a hook takes.
pub fn tool_list<T: ToolList>() {}

/// Checks what a hook returns.
pub fn prepared_list<T: PreparedList>() {}

/// Checks that a hook's future can be a run's.
pub fn prepare_future<A, B, F: Future + Send + 'static>(_: impl Fn(A, B) -> F) {}

/// Checks what a function that gives instructions returns.
pub fn instructions<T: IntoInstructions>() {}

/// Checks that the future of such a function can be a run's.
pub fn instructions_future<A, F: Future + Send + 'static>(_: impl Fn(A) -> F) {}

/// The same for a function without a context.
pub fn bare_instructions_future<F: Future + Send + 'static>(_: impl Fn() -> F) {}

/// Checks what an output validator returns.
pub fn validated_output<O, T: ValidatedOutput<O>>() {}

/// Checks that an output validator's future can be a run's.
pub fn output_validator_future<A, B, F: Future + Send + 'static>(_: impl Fn(A, B) -> F) {}

/// Checks that a function of the context keeps nothing of it.
pub fn owned_of_one<A, R>(_: impl Fn(&A) -> R) {}

/// Checks that a function of the context and something else keeps nothing of the context.
pub fn owned_of_two<A, B, R>(_: impl Fn(&A, B) -> R) {}
