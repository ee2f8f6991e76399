//! Tools whose arguments are the run's output.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::context::NoContext;
use super::function::OutputFunction;
use super::made::Made;
use crate::args::{ArgsError, ArgsReader, ReadOptions, read_object};
use crate::error::BoxError;
use crate::message::Arguments;
use crate::schema::lift_description;
use crate::tool::{CallKind, ParamSpec, ToolDefinition, ToolSpec};
use crate::toolset::Defined;

pub(super) const DEFAULT_NAME: &str = "final_result";
const DEFAULT_DESCRIPTION: &str = "Gives the final answer and ends the conversation.";

/// A tool whose arguments are the run's output.
///
/// `C` is the context that its function takes: that of an agent, or none.
#[must_use]
pub struct OutputTool<O, C = NoContext> {
    pub(super) definition: ToolDefinition,
    max_retries: Option<u32>,
    read: ReadOutput<O, C>,
    /// The type's name, as long as the tool has none of its own.
    pub(super) unnamed: Option<String>,
}

/// What reads arguments.
type ReadOutput<O, C> = Arc<dyn Fn(&Arguments) -> Result<Made<O, C>, ArgsError> + Send + Sync>;

impl<T: DeserializeOwned + JsonSchema + Send + 'static> OutputTool<T> {
    /// A tool for values of type `T`; called `final_result`, and `final_result_T` beside others.
    ///
    /// A struct's fields are the tool's parameters; any other type is its one parameter, `response`.
    pub fn new() -> Self {
        typed::<T, T, NoContext>(Made::Output)
    }
}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Default for OutputTool<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: Send + 'static, C: 'static> OutputTool<O, C> {
    /// A tool whose arguments a function makes the output of: they are a value of the type `T` that the function takes.
    ///
    /// See [`OutputFunction`] for the forms of the function. It is called once for each call of the tool that could be the
    /// output, also where the run goes on afterwards, since another tool asked for a retry.
    ///
    /// ```
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    /// use toolwright::{ModelRetry, OutputTool, RunContext};
    ///
    /// /// Book a trip.
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Trip {
    ///     to: String,
    /// }
    ///
    /// struct Booking(u32);
    ///
    /// async fn book(ctx: RunContext<Vec<String>>, trip: Trip) -> Result<Booking, ModelRetry> {
    ///     match ctx.deps().iter().position(|town| *town == trip.to) {
    ///         Some(_) => Ok(Booking(1)),
    ///         None => Err(ModelRetry::new("We do not go there.")),
    ///     }
    /// }
    ///
    /// let tool = OutputTool::function(book).named("book");
    /// ```
    pub fn function<T, Form>(function: impl OutputFunction<T, O, C, Form>) -> Self
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
    {
        let function = Arc::new(function);
        typed::<T, O, C>(move |value| {
            let function = function.clone();
            Made::By(Box::new(move |ctx| function.call(ctx, value)))
        })
    }

    /// The tool's name.
    pub fn named(mut self, name: impl Into<Arc<str>>) -> Self {
        self.unnamed = None;
        self.definition = self.definition.with_name(name);
        self
    }

    /// What the model is told of the tool.
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.definition = self.definition.with_description(description);
        self
    }

    /// Whether the provider is asked to hold the model to the schema.
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.definition = self.definition.with_strict(strict);
        self
    }

    /// How often the model may be asked to try this tool again.
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.max_retries = Some(retries);
        self
    }

    /// Makes something else of the value.
    pub fn map<P: Send + 'static>(self, map: impl Fn(O) -> P + Send + Sync + 'static) -> OutputTool<P, C> {
        self.try_map(move |value| Ok::<_, BoxError>(map(value)))
    }

    /// Makes something else of the value, or refuses it: a [`ModelRetry`](crate::ModelRetry) asks the model to try
    /// again, any other error ends the run.
    pub fn try_map<P: Send + 'static, E: Into<BoxError>>(
        self,
        map: impl Fn(O) -> Result<P, E> + Send + Sync + 'static,
    ) -> OutputTool<P, C> {
        let map = Arc::new(map);
        self.with_made(move |made| {
            let map = map.clone();
            made.then(move |value| map(value).map_err(Into::into))
        })
    }

    /// The same as another type.
    pub(super) fn wrapped<P: Send + 'static>(self, wrap: fn(O) -> P) -> OutputTool<P, C> {
        self.with_made(move |made| made.wrapped(wrap))
    }

    /// The same in a context that this one's can be had from.
    pub(super) fn within<Given: 'static>(self, context: fn(&Given) -> &C) -> OutputTool<O, Given> {
        self.with_made(move |made| made.within(context))
    }

    fn with_made<P: 'static, Given: 'static>(
        self,
        then: impl Fn(Made<O, C>) -> Made<P, Given> + Send + Sync + 'static,
    ) -> OutputTool<P, Given> {
        let Self { definition, max_retries, read, unnamed } = self;
        OutputTool { definition, max_retries, read: Arc::new(move |args| read(args).map(&then)), unnamed }
    }

    pub(crate) fn max_retries(&self) -> Option<u32> {
        self.max_retries
    }

    /// Reads arguments.
    pub(crate) fn read(&self, args: &Arguments) -> Result<Made<O, C>, ArgsError> {
        (self.read)(args)
    }
}

impl OutputTool<Value> {
    /// A tool with this schema, an object's; its arguments are not checked against it.
    ///
    /// The schema's own description is joined to the tool's.
    pub fn from_schema(name: impl Into<Arc<str>>, description: Option<String>, mut schema: Value) -> Self {
        let description = lift_description(description.as_deref(), &mut schema);
        let definition = ToolDefinition::new(name)
            .with_description(description.unwrap_or_else(|| DEFAULT_DESCRIPTION.to_owned()))
            .with_parameters(schema)
            .with_kind(CallKind::Output);
        let read = |args: &Arguments| read_object(args.text()).map(|args| Made::Output(Value::Object(args)));
        Self { definition, max_retries: None, read: Arc::new(read), unnamed: None }
    }
}

/// A tool for values of type `T`, and what `make` makes of them.
fn typed<T, O, C>(make: impl Fn(T) -> Made<O, C> + Send + Sync + 'static) -> OutputTool<O, C>
where
    T: DeserializeOwned + JsonSchema + Send + 'static,
{
    let (definition, options) = ToolSpec::<()>::new(DEFAULT_NAME).param(ParamSpec::new::<T>("response")).describe();
    let definition = match definition.description() {
        Some(_) => definition,
        None => definition.with_description(DEFAULT_DESCRIPTION),
    };
    OutputTool {
        definition: definition
            .map_parameters(|schema| drop(lift_description(None, schema)))
            .with_kind(CallKind::Output),
        max_retries: None,
        read: Arc::new(move |args| read_typed(args, options).map(&make)),
        unnamed: Some(T::schema_name().into_owned()),
    }
}

fn read_typed<T: DeserializeOwned>(args: &Arguments, options: ReadOptions) -> Result<T, ArgsError> {
    let mut reader = ArgsReader::new(args.text(), options)?;
    let value = reader.get("response");
    reader.finish()?;
    value.ok_or_else(|| ArgsError::whole("invalid", "the output could not be read", None))
}

impl<O, C> Defined for OutputTool<O, C> {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn with_definition(mut self, definition: ToolDefinition) -> Self {
        self.definition = definition;
        self
    }
}

impl<O, C> Clone for OutputTool<O, C> {
    fn clone(&self) -> Self {
        Self {
            definition: self.definition.clone(),
            max_retries: self.max_retries,
            read: self.read.clone(),
            unnamed: self.unnamed.clone(),
        }
    }
}

impl<O, C> fmt::Debug for OutputTool<O, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputTool")
            .field("definition", &self.definition)
            .field("max_retries", &self.max_retries)
            .finish_non_exhaustive()
    }
}
