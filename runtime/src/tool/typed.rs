//! Tools made from annotated functions: what the `#[tool]` macro implements.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::body::{ReadArgs, Running, ToolBody};
use super::spec::ToolSpec;
use super::{Tool, ToolDefinition};
use crate::args::{ArgsError, ArgsReader, ReadOptions};
use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::message::Arguments;

/// A function as a tool, for agents whose dependencies are `D`.
///
/// `#[tool]` implements this for a type with the function's name; there is no need to do so by hand. `R` is what the
/// function is called on: nothing, or a shared value of which it is a method.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool for an agent whose dependencies are `{D}`",
    label = "not a `#[tool]` for dependencies of type `{D}`",
    note = "a tool that takes a `&RunContext<T>` fits agents built with `Agent::<T>::builder`; one without a context fits \
            them all"
)]
pub trait TypedTool<D, R = ()>: Sized + 'static {
    /// What the model is told and how calls are treated.
    fn spec() -> ToolSpec<D>;

    /// Reads the parameters, as a tuple. `None` after a fault, which the reader keeps.
    ///
    /// The tuple's type stays hidden: a public function may have parameters of private types.
    fn read(reader: &mut ArgsReader<'_>) -> Option<Box<dyn Any + Send>>;

    /// Looks at the parameters before the tool runs.
    fn check(ctx: &RunContext<D>, args: &(dyn Any + Send)) -> Later<Result<(), BoxError>> {
        let _ = (ctx, args);
        Later::Now(Ok(()))
    }

    /// Runs the function.
    fn call(receiver: R, ctx: RunContext<D>, args: Box<dyn Any + Send>) -> Running;
}

/// What is worked out once per tool type.
#[derive(Clone)]
struct Described {
    definition: ToolDefinition,
    options: ReadOptions,
}

/// The definition of `T`, made when it is first asked for: schemas are costly, and the same for every agent.
fn described<D: 'static, T: 'static>(describe: impl FnOnce() -> (ToolDefinition, ReadOptions)) -> Described {
    static MADE: OnceLock<RwLock<HashMap<TypeId, Described>>> = OnceLock::new();
    let made = MADE.get_or_init(RwLock::default);
    let key = TypeId::of::<(D, T)>();
    if let Some(described) = made.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return described.clone();
    }
    let (definition, options) = describe();
    let described = Described { definition, options };
    made.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(described).clone()
}

impl<D: Send + Sync + 'static> Tool<D> {
    /// The tool that `#[tool]` made of a function; [`tools!`](crate::tools) calls this for each.
    #[must_use]
    pub fn typed<T: TypedTool<D>>() -> Self {
        Self::called_on::<T, ()>(())
    }

    /// The same of a function that is called on `receiver`, which is cloned for each call.
    pub(crate) fn called_on<T: TypedTool<D, R>, R: Clone + Send + Sync + 'static>(receiver: R) -> Self {
        let mut spec = T::spec();
        let Described { definition, options } = described::<D, T>(|| spec.describe());
        let body = TypedBody::<T, R> { options, receiver, tool: PhantomData };
        let mut tool = Self::from_parts(definition, Arc::new(body));
        let inner = tool.inner_mut();
        inner.defined_at = Some(spec.defined_at);
        inner.max_retries = spec.retries;
        inner.prepare = spec.prepare.take().map(Arc::new);
        tool
    }
}

fn read_as<D, T: TypedTool<D, R>, R>(text: &str, options: ReadOptions) -> Result<ReadArgs, ArgsError> {
    let mut reader = ArgsReader::new(text, options)?;
    let args = T::read(&mut reader);
    reader.finish()?;
    args.ok_or_else(|| ArgsError::whole("invalid", "the arguments could not be read", None))
}

/// Reads the text of a call's arguments as the tool `T` reads it, with no agent around it: a tuple of its parameters.
///
/// # Errors
///
/// Everything that is wrong with the arguments.
#[doc(hidden)]
pub fn read_args<D: 'static, T: TypedTool<D>>(text: &str) -> Result<ReadArgs, ArgsError> {
    read_as::<D, T, ()>(text, described::<D, T>(|| T::spec().describe()).options)
}

struct TypedBody<T, R> {
    options: ReadOptions,
    receiver: R,
    tool: PhantomData<fn() -> T>,
}

impl<D, T, R> ToolBody<D> for TypedBody<T, R>
where
    D: Send + Sync + 'static,
    T: TypedTool<D, R>,
    R: Clone + Send + Sync,
{
    fn read(&self, args: &Arguments) -> Result<ReadArgs, ArgsError> {
        read_as::<D, T, R>(args.text(), self.options)
    }

    fn check(&self, ctx: &RunContext<D>, args: &ReadArgs, _: &Arguments) -> Later<Result<(), BoxError>> {
        T::check(ctx, &**args)
    }

    fn call(&self, ctx: RunContext<D>, args: ReadArgs) -> Running {
        T::call(self.receiver.clone(), ctx, args)
    }
}

/// Arguments always come from the body that reads them; if ever not, the call fails instead of the process.
pub(crate) fn foreign_args(_: &(dyn Any + Send)) -> BoxError {
    "the arguments were read by another tool".into()
}
