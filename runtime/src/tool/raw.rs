//! Tools made from a schema and a function that takes the argument object as it is.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::body::{ReadArgs, Running, ToolBody};
use super::output::{Finished, ToolReturn};
use super::typed::foreign_args;
use super::{Tool, ToolDefinition};
use crate::args::{ArgsError, read_object};
use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::message::{Arguments, ToolContent};
use crate::validator::ArgsValidator;

type Call<D> = Box<dyn Fn(RunContext<D>, Map<String, Value>) -> Running + Send + Sync>;
type Check<D> = Box<dyn Fn(&RunContext<D>, &(Map<String, Value>,)) -> Later<Result<(), BoxError>> + Send + Sync>;

/// A tool made from a schema and a function that takes the argument object as it is.
///
/// Arguments are not checked against the schema; they are an object, and nothing more is known of them
/// (specification: "Custom Tool Schema").
///
/// ```
/// use serde_json::{Map, Value, json};
/// use toolwright::{RawTool, RunContext, Tool, ToolDefinition};
/// use toolwright::error::BoxError;
///
/// async fn sum(_: RunContext<()>, args: Map<String, Value>) -> Result<Value, BoxError> {
///     let number = |key: &str| args.get(key).and_then(Value::as_i64).unwrap_or_default();
///     Ok(json!(number("a") + number("b")))
/// }
///
/// let definition = ToolDefinition::new("sum").with_description("Sum two numbers.").with_parameters(json!({
///     "type": "object",
///     "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
///     "required": ["a", "b"],
/// }));
/// let tool: Tool<()> = RawTool::new(definition, sum).into();
/// # let _ = tool;
/// ```
pub struct RawTool<D> {
    definition: ToolDefinition,
    call: Call<D>,
    check: Option<Check<D>>,
}

impl<D: Send + Sync + 'static> RawTool<D> {
    /// A tool whose function is asynchronous. It is given the context and the argument object, which nobody has checked
    /// against the schema (specification: "Custom Tool Schema"). Its errors are those of an annotated function.
    pub fn new<F, Fut, R, E>(definition: ToolDefinition, function: F) -> Self
    where
        F: Fn(RunContext<D>, Map<String, Value>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<ToolReturn>,
        E: Into<BoxError>,
    {
        let call: Call<D> = Box::new(move |ctx, args| {
            let future = function(ctx, args);
            Running::Future(Box::pin(async move { finish(future.await) }))
        });
        Self { definition, call, check: None }
    }

    /// The same with a function that blocks; each call gets a thread.
    pub fn blocking<F, R, E>(definition: ToolDefinition, function: F) -> Self
    where
        F: Fn(RunContext<D>, Map<String, Value>) -> Result<R, E> + Send + Sync + 'static,
        R: Into<ToolReturn>,
        E: Into<BoxError>,
    {
        let function = Arc::new(function);
        let call: Call<D> = Box::new(move |ctx, args| {
            let function = function.clone();
            Running::Blocking(Box::new(move || finish(function(ctx, args))))
        });
        Self { definition, call, check: None }
    }

    /// Looks at the argument object before the tool runs (specification: "Custom Args Validator").
    #[must_use]
    pub fn args_validator<Form>(
        mut self,
        validator: impl ArgsValidator<D, (Map<String, Value>,), Form> + Send + Sync + 'static,
    ) -> Self {
        self.check = Some(Box::new(move |ctx, args| validator.validate(ctx, args)));
        self
    }
}

fn finish<R: Into<ToolReturn>, E: Into<BoxError>>(result: Result<R, E>) -> Finished {
    result.map(Into::into).map_err(Into::into)
}

impl<T: Into<ToolContent>> From<T> for ToolReturn {
    fn from(content: T) -> Self {
        Self::new(content.into())
    }
}

impl<D: Send + Sync + 'static> From<RawTool<D>> for Tool<D> {
    fn from(raw: RawTool<D>) -> Self {
        let definition = raw.definition.clone();
        Self::from_parts(definition, Arc::new(raw))
    }
}

impl<D> fmt::Debug for RawTool<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawTool").field("definition", &self.definition).finish_non_exhaustive()
    }
}

impl<D: Send + Sync + 'static> ToolBody<D> for RawTool<D> {
    fn read(&self, args: &Arguments) -> Result<ReadArgs, ArgsError> {
        read_object(args.text()).map(|object| Box::new((object,)) as ReadArgs)
    }

    fn check(&self, ctx: &RunContext<D>, args: &ReadArgs, _: &Arguments) -> Later<Result<(), BoxError>> {
        match (&self.check, args.downcast_ref()) {
            (None, _) => Later::Now(Ok(())),
            (Some(check), Some(args)) => check(ctx, args),
            (Some(_), None) => Later::Now(Err(foreign_args(args))),
        }
    }

    fn call(&self, ctx: RunContext<D>, args: ReadArgs) -> Running {
        match args.downcast::<(Map<String, Value>,)>() {
            Ok(args) => (self.call)(ctx, args.0),
            Err(args) => Running::Done(Err(foreign_args(&args))),
        }
    }
}
