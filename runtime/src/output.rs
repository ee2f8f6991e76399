//! What a run comes to: text, or the arguments of an output tool.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::args::{ArgsError, ArgsReader, ReadOptions, read_object};
use crate::deferred::DeferredToolRequests;
use crate::error::{BoxError, Error, Result};
use crate::message::Arguments;
use crate::schema::lift_description;
use crate::tool::{CallKind, ParamSpec, ToolDefinition, ToolSpec};
use crate::toolset::{Defined, NameIndex};
use crate::trace::OutputSpan;

/// What a run may come to.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use toolwright::{OutputSpec, OutputTool};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Fruit { name: String }
/// #[derive(Deserialize, JsonSchema)]
/// struct Vehicle { wheels: u32 }
/// enum Reply { Fruit(Fruit), Vehicle(Vehicle), Text(String) }
///
/// let either = OutputSpec::tool(OutputTool::<Fruit>::new().map(Reply::Fruit))
///     .or_tool(OutputTool::<Vehicle>::new().map(Reply::Vehicle))
///     .or_text(Reply::Text);
/// # let _: OutputSpec<Reply> = either;
/// ```
#[must_use]
pub struct OutputSpec<O> {
    pub(crate) text: Option<TextOutput<O>>,
    pub(crate) tools: Vec<OutputTool<O>>,
    pub(crate) deferred: Option<fn(DeferredToolRequests) -> O>,
}

type TextOutput<O> = Arc<dyn Fn(String) -> O + Send + Sync>;

impl OutputSpec<String> {
    /// The model's text.
    pub fn text() -> Self {
        Self { text: Some(Arc::new(|text| text)), tools: Vec::new(), deferred: None }
    }
}

impl<O: 'static> OutputSpec<O> {
    /// The arguments of an output tool.
    pub fn tool(tool: OutputTool<O>) -> Self {
        Self { text: None, tools: vec![tool], deferred: None }
    }

    /// A value of type `O`, by an output tool called `final_result`.
    pub fn of() -> Self
    where
        O: DeserializeOwned + JsonSchema + Send,
    {
        Self::tool(OutputTool::new())
    }

    /// Or the arguments of this tool.
    pub fn or_tool(mut self, tool: OutputTool<O>) -> Self {
        self.tools.push(tool);
        self
    }

    /// Or the model's text.
    pub fn or_text(mut self, text: impl Fn(String) -> O + Send + Sync + 'static) -> Self {
        self.text = Some(Arc::new(text));
        self
    }

    /// The same, with `map` over whatever the run comes to.
    pub(crate) fn map<P: 'static>(self, map: fn(O) -> P) -> OutputSpec<P> {
        let text = self.text.map(|text| Arc::new(move |words| map(text(words))) as TextOutput<P>);
        let tools = self.tools.into_iter().map(|tool| tool.with_read(move |read, _| read.map(map))).collect();
        OutputSpec { text, tools, deferred: None }
    }

    /// Names tools that were not named, and sees to it that no two have one name.
    pub(crate) fn finish(mut self) -> Result<Self> {
        let several = self.tools.len() > 1;
        for tool in &mut self.tools {
            if let Some(type_name) = tool.unnamed.take().filter(|_| several) {
                let name: String =
                    type_name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).collect();
                tool.definition = tool.definition.clone().with_name(format!("{DEFAULT_NAME}_{name}"));
            }
        }
        if self.text.is_none() && self.tools.is_empty() {
            return Err(Error::misuse("the agent has no output; allow text or give it an output tool"));
        }
        NameIndex::new(self.tools.iter().map(|tool| &tool.definition)).map_err(|clash| {
            Error::misuse(format!(
                "two output tools are named `{}`; give them names of their own with `OutputTool::named`",
                clash.name
            ))
        })?;
        Ok(self)
    }
}

impl<O> fmt::Debug for OutputSpec<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputSpec")
            .field("text", &self.text.is_some())
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}

const DEFAULT_NAME: &str = "final_result";
const DEFAULT_DESCRIPTION: &str = "Gives the final answer and ends the conversation.";

/// A tool whose arguments are the run's output.
#[must_use]
pub struct OutputTool<O> {
    definition: ToolDefinition,
    max_retries: Option<u32>,
    read: ReadOutput<O>,
    /// The type's name, as long as the tool has none of its own.
    unnamed: Option<String>,
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

    fn with_read<P: 'static>(
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
    /// The schema's own title is dropped, and its description joined to the tool's.
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
