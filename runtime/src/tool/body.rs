//! What runs when a tool is called.

use std::any::Any;

use super::output::Finished;
use crate::args::ArgsError;
use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::{BoxFuture, Later};
use crate::message::Arguments;

/// Arguments that were read, as the type of the tool that read them.
pub(crate) type ReadArgs = Box<dyn Any + Send>;

/// A call that has begun.
#[doc(hidden)]
#[non_exhaustive]
pub enum Running {
    /// It has ended already.
    Done(Finished),
    /// It goes on in the run's own task.
    Future(BoxFuture<'static, Finished>),
    /// It wants a thread of its own.
    Blocking(Box<dyn FnOnce() -> Finished + Send>),
}

/// What runs when a tool is called: first its arguments are read, then looked at, then used.
pub(crate) trait ToolBody<D>: Send + Sync {
    fn read(&self, args: &Arguments) -> Result<ReadArgs, ArgsError>;
    fn check(&self, ctx: &RunContext<D>, args: &ReadArgs, raw: &Arguments) -> Later<Result<(), BoxError>>;
    fn call(&self, ctx: RunContext<D>, args: ReadArgs) -> Running;
}
