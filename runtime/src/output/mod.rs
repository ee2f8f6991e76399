//! What a run comes to: text, the arguments of an output tool, or a value that the model writes as its text.

mod format;
mod tool;

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

pub(crate) use self::format::json_in;
pub use self::format::{OutputFormat, OutputMode};
use self::tool::DEFAULT_NAME;
pub(crate) use self::tool::OutputFailure;
pub use self::tool::OutputTool;
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
#[must_use]
pub struct OutputSpec<O> {
    pub(crate) text: Option<TextOutput<O>>,
    pub(crate) tools: Vec<OutputTool<O>>,
    pub(crate) deferred: Option<fn(DeferredToolRequests) -> O>,
    mode: OutputMode,
    /// What reads the model's text, where it is no plain one.
    pub(crate) object: Option<OutputObject<O>>,
}

/// A value that the model writes as its text.
pub(crate) struct OutputObject<O> {
    pub(crate) format: Arc<OutputFormat>,
    pub(crate) tool: OutputTool<O>,
}

type TextOutput<O> = Arc<dyn Fn(String) -> O + Send + Sync>;

impl OutputSpec<String> {
    /// The model's text.
    pub fn text() -> Self {
        Self { text: Some(Arc::new(|text| text)), ..Self::nothing() }
    }
}

impl<O> OutputSpec<O> {
    /// Whether the model's text can be the output.
    pub(crate) fn allows_text(&self) -> bool {
        self.text.is_some() || self.object.is_some()
    }

    fn nothing() -> Self {
        Self { text: None, tools: Vec::new(), deferred: None, mode: OutputMode::Tool, object: None }
    }
}

impl<O: 'static> OutputSpec<O> {
    /// The arguments of an output tool.
    pub fn tool(tool: OutputTool<O>) -> Self {
        Self { tools: vec![tool], ..Self::nothing() }
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

    /// The same, with `map` over whatever the run comes to.
    pub(crate) fn map<P: 'static>(self, map: fn(O) -> P) -> OutputSpec<P> {
        let text = self.text.map(|text| Arc::new(move |words| map(text(words))) as TextOutput<P>);
        let tools = self.tools.into_iter().map(|tool| tool.with_read(move |read, _| read.map(map))).collect();
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

impl<O: 'static> OutputObject<O> {
    fn of(mode: OutputMode, has_text: bool, mut tools: Vec<OutputTool<O>>) -> Result<Self> {
        match (tools.pop(), tools.is_empty() && !has_text) {
            (Some(tool), true) => Ok(Self { format: Arc::new(OutputFormat::new(mode, &tool.definition)), tool }),
            _ => Err(Error::misuse(
                "an output that the model writes as its text is of one type, with no plain text beside it; make an enum of \
                 several, or leave out `.native()` or `.prompted()`",
            )),
        }
    }
}

impl<O> fmt::Debug for OutputSpec<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputSpec")
            .field("text", &self.text.is_some())
            .field("tools", &self.tools)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}
