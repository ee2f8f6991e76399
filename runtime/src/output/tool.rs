//! Tools whose arguments are the run's output.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::args::{ArgsError, ArgsReader, ReadOptions, read_object};
use crate::error::BoxError;
use crate::message::Arguments;
use crate::schema::lift_description;
use crate::tool::{CallKind, ParamSpec, ToolDefinition, ToolSpec};
use crate::toolset::Defined;
use crate::trace::OutputSpan;

pub(super) const DEFAULT_NAME: &str = "final_result";
const DEFAULT_DESCRIPTION: &str = "Gives the final answer and ends the conversation.";

/// A tool whose arguments are the run's output.
#[must_use]
pub struct OutputTool<O> {
    pub(super) definition: ToolDefinition,
    max_retries: Option<u32>,
    read: ReadOutput<O>,
    /// The type's name, as long as the tool has none of its own.
    pub(super) unnamed: Option<String>,
}

/// What reads arguments; the functions that make something else of them are called inside the span.
type ReadOutput<O> = Arc<dyn Fn(&Arguments, &mut OutputSpan<'_>) -> Result<O, OutputFailure> + Send + Sync>;

/// Why arguments are no output.
pub(crate) enum OutputFailure {
    Invalid(ArgsError),
    Rejected(BoxError),
}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> OutputTool<T> {
    /// A tool for values of type `T`; called `final_result`, and `final_result_T` beside others.
    ///
    /// A struct's fields are the tool's parameters; any other type is its one parameter, `response`.
    pub fn new() -> Self {
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
            read: Arc::new(move |args, _| read_typed(args, options)),
            unnamed: Some(T::schema_name().into_owned()),
        }
    }
}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Default for OutputTool<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<O: 'static> OutputTool<O> {
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
    pub fn map<P: 'static>(self, map: impl Fn(O) -> P + Send + Sync + 'static) -> OutputTool<P> {
        self.with_read(move |read, span| read.map(|value| span.around(|| map(value))))
    }

    /// Makes something else of the value, or refuses it: a [`ModelRetry`](crate::ModelRetry) asks the model to try
    /// again, any other error ends the run.
    pub fn try_map<P: 'static, E: Into<BoxError>>(
        self,
        map: impl Fn(O) -> Result<P, E> + Send + Sync + 'static,
    ) -> OutputTool<P> {
        self.with_read(move |read, span| {
            let value = read?;
            span.around(|| map(value)).map_err(|error| OutputFailure::Rejected(error.into()))
        })
    }

    pub(super) fn with_read<P: 'static>(
        self,
        then: impl Fn(Result<O, OutputFailure>, &mut OutputSpan<'_>) -> Result<P, OutputFailure> + Send + Sync + 'static,
    ) -> OutputTool<P> {
        let Self { definition, max_retries, read, unnamed } = self;
        OutputTool { definition, max_retries, read: Arc::new(move |args, span| then(read(args, span), span)), unnamed }
    }

    pub(crate) fn max_retries(&self) -> Option<u32> {
        self.max_retries
    }

    pub(crate) fn read(&self, args: &Arguments, span: &mut OutputSpan<'_>) -> Result<O, OutputFailure> {
        (self.read)(args, span)
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
        let read = |args: &Arguments, _: &mut OutputSpan<'_>| {
            read_object(args.text()).map(Value::Object).map_err(OutputFailure::Invalid)
        };
        Self { definition, max_retries: None, read: Arc::new(read), unnamed: None }
    }
}

fn read_typed<T: DeserializeOwned>(args: &Arguments, options: ReadOptions) -> Result<T, OutputFailure> {
    let mut reader = ArgsReader::new(args.text(), options).map_err(OutputFailure::Invalid)?;
    let value = reader.get("response");
    reader.finish().map_err(OutputFailure::Invalid)?;
    value.ok_or_else(|| OutputFailure::Invalid(ArgsError::whole("invalid", "the output could not be read", None)))
}

impl<O> Defined for OutputTool<O> {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn with_definition(mut self, definition: ToolDefinition) -> Self {
        self.definition = definition;
        self
    }
}

impl<O> Clone for OutputTool<O> {
    fn clone(&self) -> Self {
        Self {
            definition: self.definition.clone(),
            max_retries: self.max_retries,
            read: self.read.clone(),
            unnamed: self.unnamed.clone(),
        }
    }
}

impl<O> fmt::Debug for OutputTool<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputTool")
            .field("definition", &self.definition)
            .field("max_retries", &self.max_retries)
            .finish_non_exhaustive()
    }
}
