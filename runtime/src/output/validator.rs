//! Output validators: functions that look at an output before it ends the run, and may change it.

use crate::context::RunContext;
use crate::deferred::MaybeDeferred;
use crate::error::BoxError;
use crate::later::Later;
use crate::prepare::form;

/// What an output validator returns: the output, as it was or changed, or a `Result` of it.
#[diagnostic::on_unimplemented(
    message = "an output validator cannot return `{Self}`",
    label = "neither `{O}` nor a `Result` of it",
    note = "it returns the output, a `{O}`, or a `Result<{O}, E>` with an `E` such as `ModelRetry` that is \
            `Into<Box<dyn Error + Send + Sync>>`"
)]
pub trait ValidatedOutput<O> {
    /// The output.
    ///
    /// # Errors
    ///
    /// What the validator returned.
    fn into_validated(self) -> Result<O, BoxError>;
}

impl<O> ValidatedOutput<O> for O {
    fn into_validated(self) -> Result<O, BoxError> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<O, E: Into<BoxError>> ValidatedOutput<O> for Result<O, E> {
    fn into_validated(self) -> Result<O, BoxError> {
        self.map_err(Into::into)
    }
}

/// The output of an agent that may pause, without the case that it has paused; only ever inferred.
#[doc(hidden)]
pub struct OfDone<Form>(std::marker::PhantomData<Form>);

/// An output validator of an agent with the output `O`; see
/// [`AgentBuilder::output_validator`](crate::AgentBuilder::output_validator).
///
/// It takes the context and the output: a plain function `&RunContext<D>` (or `RunContext<D>`), an `async` one
/// `RunContext<D>`. It returns the output, or a `Result` of it. Of an agent that may pause it takes the output proper: calls
/// that wait are not validated.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no output validator for an agent with the output `{O}` and the dependencies `{D}`",
    label = "expected `fn(&RunContext<{D}>, {O}) -> Result<{O}, ModelRetry>`",
    note = "it takes `&RunContext<{D}>` (or, `async` or not, `RunContext<{D}>`) and the output, a `{O}`, and returns the \
            output or a `Result` of it; a closure's parameters need their types",
    note = "what the output is has to be said before: `.output(…)` comes before `.output_validator(…)`"
)]
pub trait OutputValidator<D, O, Form>: Send + Sync + 'static {
    /// Looks at the output.
    fn validate(&self, ctx: &RunContext<D>, output: O) -> Later<Result<O, BoxError>>;
}

impl<D, O, F, R> OutputValidator<D, O, form::ByReference<R>> for F
where
    F: Fn(&RunContext<D>, O) -> R + Send + Sync + 'static,
    R: ValidatedOutput<O>,
{
    fn validate(&self, ctx: &RunContext<D>, output: O) -> Later<Result<O, BoxError>> {
        Later::Now(self(ctx, output).into_validated())
    }
}

impl<D, O, F, R> OutputValidator<D, O, form::ByValue<R>> for F
where
    F: Fn(RunContext<D>, O) -> R + Send + Sync + 'static,
    R: ValidatedOutput<O>,
{
    fn validate(&self, ctx: &RunContext<D>, output: O) -> Later<Result<O, BoxError>> {
        Later::Now(self(ctx.clone(), output).into_validated())
    }
}

impl<D, O, F, Fut> OutputValidator<D, O, form::Async<Fut>> for F
where
    F: Fn(RunContext<D>, O) -> Fut + Send + Sync + 'static,
    Fut: Future<Output: ValidatedOutput<O>> + Send + 'static,
{
    fn validate(&self, ctx: &RunContext<D>, output: O) -> Later<Result<O, BoxError>> {
        let future = self(ctx.clone(), output);
        Later::Then(Box::pin(async move { future.await.into_validated() }))
    }
}

#[diagnostic::do_not_recommend]
impl<D, O: Send + 'static, F, Form> OutputValidator<D, MaybeDeferred<O>, OfDone<Form>> for F
where
    F: OutputValidator<D, O, Form>,
{
    fn validate(&self, ctx: &RunContext<D>, output: MaybeDeferred<O>) -> Later<Result<MaybeDeferred<O>, BoxError>> {
        match output {
            MaybeDeferred::Done(output) => {
                self.validate(ctx, output).map(|validated| validated.map(MaybeDeferred::Done))
            }
            waits @ MaybeDeferred::Deferred(_) => Later::Now(Ok(waits)),
        }
    }
}

/// An output validator, whatever its form.
pub(crate) type BoxedOutputValidator<D, O> = Box<dyn Fn(&RunContext<D>, O) -> Later<Result<O, BoxError>> + Send + Sync>;

pub(crate) fn boxed_output_validator<D: 'static, O: 'static, Form>(
    validator: impl OutputValidator<D, O, Form>,
) -> BoxedOutputValidator<D, O> {
    Box::new(move |ctx, output| validator.validate(ctx, output))
}

/// The validator of an output, for an agent that may pause.
pub(crate) fn of_done<D: 'static, O: Send + 'static>(
    validator: BoxedOutputValidator<D, O>,
) -> BoxedOutputValidator<D, MaybeDeferred<O>> {
    Box::new(move |ctx, output| match output {
        MaybeDeferred::Done(output) => validator(ctx, output).map(|validated| validated.map(MaybeDeferred::Done)),
        waits @ MaybeDeferred::Deferred(_) => Later::Now(Ok(waits)),
    })
}
