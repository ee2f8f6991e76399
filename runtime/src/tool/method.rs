//! Tools made from annotated methods: what the `#[toolset]` macro implements.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use super::body::Running;
use super::spec::ToolSpec;
use super::{Tool, TypedTool};
use crate::args::ArgsReader;
use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;

/// A method of `Self` as a tool, for agents whose dependencies are `D`. `M` tells the methods of one type apart.
///
/// `#[toolset]` implements this; there is no need to do so by hand. It is a [`TypedTool`] that is implemented for the
/// method's own type, so that a signature and options that say `Self` mean what they mean there.
#[diagnostic::on_unimplemented(
    message = "a method of `{Self}` is no tool for an agent whose dependencies are `{D}`",
    note = "`#[toolset]` on the `impl` block makes tools of the methods that are marked `#[tool]`"
)]
pub trait MethodTool<D, M>: Sized + Send + Sync + 'static {
    /// What the model is told and how calls are treated.
    fn spec() -> ToolSpec<D>;

    /// Reads the parameters, as a tuple whose type stays hidden. `None` after a fault, which the reader keeps.
    fn read(reader: &mut ArgsReader<'_>) -> Option<Box<dyn Any + Send>>;

    /// Looks at the parameters before the tool runs.
    fn check(ctx: &RunContext<D>, args: &(dyn Any + Send)) -> Later<Result<(), BoxError>> {
        let _ = (ctx, args);
        Later::Now(Ok(()))
    }

    /// Runs the method.
    fn call(receiver: Arc<Self>, ctx: RunContext<D>, args: Box<dyn Any + Send>) -> Running;
}

/// The method `M` of `T`, as the tool that it is.
struct Method<T, M>(PhantomData<fn() -> (T, M)>);

impl<D, T: MethodTool<D, M>, M: 'static> TypedTool<D, Arc<T>> for Method<T, M> {
    fn spec() -> ToolSpec<D> {
        T::spec()
    }

    fn read(reader: &mut ArgsReader<'_>) -> Option<Box<dyn Any + Send>> {
        T::read(reader)
    }

    fn check(ctx: &RunContext<D>, args: &(dyn Any + Send)) -> Later<Result<(), BoxError>> {
        T::check(ctx, args)
    }

    fn call(receiver: Arc<T>, ctx: RunContext<D>, args: Box<dyn Any + Send>) -> Running {
        T::call(receiver, ctx, args)
    }
}

impl<D: Send + Sync + 'static> Tool<D> {
    /// The method `M` of a value, as a tool that shares the value.
    pub(crate) fn method<T: MethodTool<D, M>, M: 'static>(receiver: &Arc<T>) -> Self {
        Self::called_on::<Method<T, M>, _>(receiver.clone())
    }
}
