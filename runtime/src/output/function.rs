//! Functions that make an output of what the model gave.

use std::marker::PhantomData;

use super::NoContext;
use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::prepare::form;

/// `fn(T) -> R`; only ever inferred.
#[doc(hidden)]
pub struct WithoutContext<R>(PhantomData<R>);

/// `async fn(T) -> R`; only ever inferred.
#[doc(hidden)]
pub struct AsyncWithoutContext<Fut>(PhantomData<Fut>);

/// A function that makes an output `O` of a value `T`, in a context `C`.
///
/// It takes the value, and before it the context if it needs one: a plain function `&RunContext<D>` (or `RunContext<D>`),
/// an `async` one `RunContext<D>`. It returns a `Result`: a [`ModelRetry`](crate::ModelRetry) asks the model to try again,
/// any other error ends the run, [`ToolFailed`](crate::ToolFailed) too (specification: "Requesting a Tool Retry"). One that
/// cannot fail is [`OutputTool::map`](crate::OutputTool::map)'s.
///
/// A plain function runs in the run's own task, and nothing else goes on meanwhile: what takes long is `async`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no output function",
    label = "expected `fn(T) -> Result<O, E>`, with a `RunContext` before the value if it needs one",
    note = "it takes one value, and before it `&RunContext<D>` (or, `async` or not, `RunContext<D>`), and returns a `Result` \
            with an error that is `Into<Box<dyn Error + Send + Sync>>`; one that cannot fail goes into `.map(…)`",
    note = "a closure's parameters need their types"
)]
pub trait OutputFunction<T, O, C, Form>: Send + Sync + 'static {
    /// Calls the function.
    fn call(&self, ctx: &C, value: T) -> Later<Result<O, BoxError>>;
}

#[diagnostic::do_not_recommend]
impl<F, T, O, E> OutputFunction<T, O, NoContext, WithoutContext<Result<O, E>>> for F
where
    F: Fn(T) -> Result<O, E> + Send + Sync + 'static,
    E: Into<BoxError>,
{
    fn call(&self, _: &NoContext, value: T) -> Later<Result<O, BoxError>> {
        Later::Now(self(value).map_err(Into::into))
    }
}

#[diagnostic::do_not_recommend]
impl<F, T, O, E, Fut> OutputFunction<T, O, NoContext, AsyncWithoutContext<Fut>> for F
where
    F: Fn(T) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O, E>> + Send + 'static,
    E: Into<BoxError>,
{
    fn call(&self, _: &NoContext, value: T) -> Later<Result<O, BoxError>> {
        later(self(value))
    }
}

#[diagnostic::do_not_recommend]
impl<F, D, T, O, E> OutputFunction<T, O, RunContext<D>, form::ByReference<Result<O, E>>> for F
where
    F: Fn(&RunContext<D>, T) -> Result<O, E> + Send + Sync + 'static,
    E: Into<BoxError>,
{
    fn call(&self, ctx: &RunContext<D>, value: T) -> Later<Result<O, BoxError>> {
        Later::Now(self(ctx, value).map_err(Into::into))
    }
}

#[diagnostic::do_not_recommend]
impl<F, D, T, O, E> OutputFunction<T, O, RunContext<D>, form::ByValue<Result<O, E>>> for F
where
    F: Fn(RunContext<D>, T) -> Result<O, E> + Send + Sync + 'static,
    E: Into<BoxError>,
{
    fn call(&self, ctx: &RunContext<D>, value: T) -> Later<Result<O, BoxError>> {
        Later::Now(self(ctx.clone(), value).map_err(Into::into))
    }
}

#[diagnostic::do_not_recommend]
impl<F, D, T, O, E, Fut> OutputFunction<T, O, RunContext<D>, form::Async<Fut>> for F
where
    F: Fn(RunContext<D>, T) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O, E>> + Send + 'static,
    E: Into<BoxError>,
{
    fn call(&self, ctx: &RunContext<D>, value: T) -> Later<Result<O, BoxError>> {
        later(self(ctx.clone(), value))
    }
}

fn later<O, E: Into<BoxError>>(
    future: impl Future<Output = Result<O, E>> + Send + 'static,
) -> Later<Result<O, BoxError>> {
    Later::Then(Box::pin(async move { future.await.map_err(Into::into) }))
}
