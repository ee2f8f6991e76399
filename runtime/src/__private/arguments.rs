//! The parameters of an annotated function as they are kept between reading and running: a tuple whose type is hidden.

use std::any::Any;

use crate::agent::Dependencies;
use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::tool::{Finished, Running, foreign_args};
use crate::validator::ArgsValidator;

/// What was read, its type hidden.
pub type AnyArgs = Box<dyn Any + Send>;

/// Hides the type of what was read.
pub fn hide<Args: Send + 'static>(args: Args) -> AnyArgs {
    Box::new(args)
}

/// Runs an argument validator.
pub fn check<D, Args: 'static, Form>(
    validator: impl ArgsValidator<D, Args, Form>,
    ctx: &RunContext<D>,
    args: &(dyn Any + Send),
) -> Later<Result<(), BoxError>> {
    match args.downcast_ref() {
        Some(args) => validator.validate(ctx, args),
        None => Later::Now(Err(foreign_args(args))),
    }
}

/// Runs a function in the run's own task, before anything else goes on.
pub fn inline<Args: 'static>(args: AnyArgs, call: impl FnOnce(Args) -> Finished) -> Running {
    match args.downcast() {
        Ok(args) => Running::Done(call(*args)),
        Err(args) => Running::Done(Err(foreign_args(&*args))),
    }
}

/// Runs an asynchronous function in the run's own task.
pub fn future<Args: 'static, Call>(args: AnyArgs, call: impl FnOnce(Args) -> Call) -> Running
where
    Call: Future<Output = Finished> + Send + 'static,
{
    match args.downcast() {
        Ok(args) => Running::Future(Box::pin(call(*args))),
        Err(args) => Running::Done(Err(foreign_args(&*args))),
    }
}

/// Runs a function that takes the run's context on a thread of its own.
pub fn blocking_with<Args: Send + 'static, D: Dependencies>(
    args: AnyArgs,
    ctx: RunContext<D>,
    call: impl FnOnce(Args, RunContext<D>) -> Finished + Send + 'static,
) -> Running {
    blocking(args, move |args| call(args, ctx))
}

/// Runs a function on a thread of its own.
pub fn blocking<Args: Send + 'static>(args: AnyArgs, call: impl FnOnce(Args) -> Finished + Send + 'static) -> Running {
    match args.downcast() {
        Ok(args) => Running::Blocking(Box::new(move || call(*args))),
        Err(args) => Running::Done(Err(foreign_args(&*args))),
    }
}
