//! What a run may come to.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::context::{FromContext, JoinContext, NoContext};
use super::format::{OutputFormat, OutputMode};
use super::function::OutputFunction;
use super::made::Made;
use super::tool::{DEFAULT_NAME, OutputTool};
use crate::deferred::DeferredToolRequests;
use crate::error::{Error, Result};
use crate::toolset::NameIndex;

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
///
/// A value can also be the model's text, held to a schema by the provider ([`native`](Self::native)) or by instructions
/// ([`prompted`](Self::prompted)): `OutputSpec::<Fruit>::of().native()`.
///
/// An output may be made by a function of the application ([`function`](Self::function), [`or_text_fn`](Self::or_text_fn)).
/// Where that takes the context of an agent, `C` says which; all others fit every agent.
#[must_use]
pub struct OutputSpec<O, C = NoContext> {
    pub(crate) text: Option<TextOutput<O, C>>,
    pub(crate) tools: Vec<OutputTool<O, C>>,
    pub(crate) deferred: Option<fn(DeferredToolRequests) -> O>,
    mode: OutputMode,
    /// What reads the model's text, where it is no plain one.
    pub(crate) object: Option<OutputObject<O, C>>,
}

/// A value that the model writes as its text.
pub(crate) struct OutputObject<O, C> {
    pub(crate) format: Arc<OutputFormat>,
    pub(crate) tool: OutputTool<O, C>,
}

/// What makes an output of the model's text.
type TextOutput<O, C> = Arc<dyn Fn(String) -> Made<O, C> + Send + Sync>;

impl OutputSpec<String> {
    /// The model's text.
    pub fn text() -> Self {
        Self { text: Some(Arc::new(Made::Output)), ..Self::nothing() }
    }
}

impl<O> OutputSpec<O>
where
    O: DeserializeOwned + JsonSchema + Send + 'static,
{
    /// A value of type `O`, by an output tool called `final_result`.
    pub fn of() -> Self {
        Self::tool(OutputTool::new())
    }
}

impl<O, C> OutputSpec<O, C> {
    /// Whether the model's text can be the output.
    pub(crate) fn allows_text(&self) -> bool {
        self.text.is_some() || self.object.is_some()
    }

    fn nothing() -> Self {
        Self { text: None, tools: Vec::new(), deferred: None, mode: OutputMode::Tool, object: None }
    }
}

impl<O: Send + 'static, C: 'static> OutputSpec<O, C> {
    /// The arguments of an output tool.
    pub fn tool(tool: OutputTool<O, C>) -> Self {
        Self { tools: vec![tool], ..Self::nothing() }
    }

    /// What a function makes of the arguments of an output tool: see [`OutputTool::function`].
    pub fn function<T, Form>(function: impl OutputFunction<T, O, C, Form>) -> Self
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
    {
        Self::tool(OutputTool::function(function))
    }

    /// What a function makes of the model's text. A [`ModelRetry`](crate::ModelRetry) asks the model for another one, within
    /// the output's [budget](crate::Retries::output); any other error ends the run.
    pub fn text_fn<Form>(function: impl OutputFunction<String, O, C, Form>) -> Self {
        Self { text: Some(by_function(function)), ..Self::nothing() }
    }

    /// Or the arguments of this tool.
    pub fn or_tool<Other: 'static>(self, tool: OutputTool<O, Other>) -> OutputSpec<O, C::Joined>
    where
        C: JoinContext<Other>,
    {
        let mut spec = self.within(C::this);
        spec.tools.push(tool.within(C::other));
        spec
    }

    /// Or the model's text.
    pub fn or_text(mut self, text: impl Fn(String) -> O + Send + Sync + 'static) -> Self {
        self.text = Some(Arc::new(move |words| Made::Output(text(words))));
        self
    }

    /// Or what a function makes of the model's text, as with [`text_fn`](Self::text_fn).
    ///
    /// ```
    /// use toolwright::{ModelRetry, OutputSpec};
    ///
    /// fn one_line(text: String) -> Result<String, ModelRetry> {
    ///     if text.contains('\n') { Err(ModelRetry::new("Say it in one line.")) } else { Ok(text) }
    /// }
    ///
    /// # let _: OutputSpec<String> =
    /// OutputSpec::of().or_text_fn(one_line);
    /// ```
    pub fn or_text_fn<Other: 'static, Form>(
        self,
        function: impl OutputFunction<String, O, Other, Form>,
    ) -> OutputSpec<O, C::Joined>
    where
        C: JoinContext<Other>,
    {
        let text = by_function(function);
        let mut spec = self.within(C::this);
        spec.text = Some(Arc::new(move |words| text(words).within(C::other)));
        spec
    }

    /// Has the model write the value as its text, which the provider holds to the schema. It takes a model that can
    /// ([`Model::has_native_output`](crate::Model::has_native_output)), and one output tool, whose name and description go
    /// with the schema; several types are an enum. A type that is no struct stands in an object, under `response`.
    pub fn native(mut self) -> Self {
        self.mode = OutputMode::Native;
        self
    }

    /// Has the model write the value as its text, to a schema that its instructions tell. Any model can, some will not. A
    /// type that is no struct stands in an object, under `response`.
    pub fn prompted(mut self) -> Self {
        self.mode = OutputMode::Prompted;
        self
    }

    /// The same, for agents whose context is `Given`.
    pub(crate) fn of_agent<Given: 'static>(self) -> OutputSpec<O, Given>
    where
        C: FromContext<Given>,
    {
        self.within(C::from_context)
    }

    fn within<Given: 'static>(self, context: fn(&Given) -> &C) -> OutputSpec<O, Given> {
        let text = self.text.map(|text| -> TextOutput<O, Given> { Arc::new(move |words| text(words).within(context)) });
        let tools = self.tools.into_iter().map(|tool| tool.within(context)).collect();
        OutputSpec { text, tools, mode: self.mode, ..OutputSpec::nothing() }
    }

    /// The same as another type, whatever the run comes to.
    pub(crate) fn wrapped<P: Send + 'static>(self, wrap: fn(O) -> P) -> OutputSpec<P, C> {
        let text = self.text.map(|text| -> TextOutput<P, C> { Arc::new(move |words| text(words).wrapped(wrap)) });
        let tools = self.tools.into_iter().map(|tool| tool.wrapped(wrap)).collect();
        OutputSpec { text, tools, mode: self.mode, ..OutputSpec::nothing() }
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
        if self.mode != OutputMode::Tool {
            self.object = Some(OutputObject::of(self.mode, self.text.is_some(), std::mem::take(&mut self.tools))?);
        } else if self.text.is_none() && self.tools.is_empty() {
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

impl<O: Send + 'static, C: 'static> OutputObject<O, C> {
    fn of(mode: OutputMode, has_text: bool, mut tools: Vec<OutputTool<O, C>>) -> Result<Self> {
        match (tools.pop(), tools.is_empty() && !has_text) {
            (Some(tool), true) => Ok(Self { format: Arc::new(OutputFormat::new(mode, &tool.definition)), tool }),
            _ => Err(Error::misuse(
                "an output that the model writes as its text is of one type, with no plain text beside it; make an enum of \
                 several, or leave out `.native()` or `.prompted()`",
            )),
        }
    }
}

/// What makes outputs of texts by a function.
fn by_function<O: 'static, C: 'static, Form>(function: impl OutputFunction<String, O, C, Form>) -> TextOutput<O, C> {
    let function = Arc::new(function);
    Arc::new(move |words| {
        let function = function.clone();
        Made::By(Box::new(move |ctx| function.call(ctx, words)))
    })
}

impl<O, C> fmt::Debug for OutputSpec<O, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputSpec")
            .field("text", &self.text.is_some())
            .field("tools", &self.tools)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}
