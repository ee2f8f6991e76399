//! What became of a step's tools: the answer to "why can the model not see my tool?"

mod display;
mod trail;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

pub(crate) use trail::{Changes, Trail};
pub use trail::{Decider, ToolEdit};

use crate::choice::Choices;
use crate::model::ToolChoice;
use crate::tool::ToolDefinition;
use trail::{LeftOut, Owner};

/// What the model was offered in one step, what it was not, and why.
///
/// Written with `{}`, it is a line for the step and one for each tool:
///
/// ```
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, RunContext, ToolDefinition, tool, tools};
///
/// /// Look up a customer.
/// #[tool]
/// async fn look_up(customer: u32) -> u32 {
///     customer
/// }
///
/// /// Delete a customer.
/// #[tool]
/// async fn delete(customer: u32) -> u32 {
///     customer
/// }
///
/// fn read_only(_: &RunContext<()>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
///     let kept = tools.into_iter().filter(|tool| tool.name() != "delete");
///     kept.map(|tool| tool.with_strict(true)).collect()
/// }
///
/// # #[tokio::main]
/// # async fn main() -> toolwright::Result<()> {
/// let agent = Agent::<()>::builder(TestModel::new()).tools(tools![look_up, delete]).prepare_tools(read_only).build()?;
/// let result = agent.run("Delete customer 7.").await?;
/// assert_eq!(
///     result.steps()[0].to_string(),
///     "step 1: 1 of 2 tools offered\n  \
///        look_up: offered; strict changed by the `prepare_tools` hook\n  \
///        delete: left out by the `prepare_tools` hook"
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepReport {
    /// Which step, from 1.
    pub step: u32,
    /// The function tools it was offered, in order.
    pub function_tools: Arc<[ToolDefinition]>,
    /// Those it is to find first.
    pub hidden_tools: Arc<[ToolDefinition]>,
    /// The output tools, in order.
    pub output_tools: Arc<[ToolDefinition]>,
    /// Which of them the model was told to call.
    pub tool_choice: Option<ToolChoice>,
    /// What could not be sent as it was asked for, in words: strict on a schema that cannot carry it, a tool choice that
    /// names no tool (specification: decisions 5 and 7). Known once the model has answered, so never in an
    /// [event](crate::Event::StepReport).
    pub notes: Vec<String>,
    /// What of the request before this one has moved or changed, such as `tools[2].description` or ``tool `x` was added``: what
    /// the provider has cached of it is of no use from there on. Nothing, where the request only goes on (specification: "Tool
    /// search and prompt caching"). Known once the model has answered, as the notes are.
    pub moved: Vec<String>,
    /// Whether a response without calls can be the output.
    allow_text: bool,
    edits: Arc<[ToolEdit]>,
    left_out: Arc<[LeftOut]>,
}

/// What became of one tool in a step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolReport<'r> {
    /// The name by which the model knows the tool, or would.
    pub name: &'r str,
    /// The definition as it was in the end: when it was offered, or when the tool was left out.
    pub definition: &'r ToolDefinition,
    /// Whether the model was offered the tool, or why not.
    pub status: ToolStatus,
    /// What hooks and `prepare` functions changed, in order.
    pub edits: Vec<&'r ToolEdit>,
}

/// Whether a tool was offered in a step, or why not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolStatus {
    /// The model could call it.
    Offered,
    /// The model is to find it first (specification: "Tool Search").
    Hidden,
    /// The model is to load the capability of this id first.
    NotLoaded(Arc<str>),
    /// The step's [tool choice](StepReport::tool_choice) let the model call only other tools, or none.
    NotChosen,
    /// It was left out.
    LeftOut(Decider),
    /// It stepped aside for the tool of this name (specification: "Superseding a tool by kind").
    Superseded(Arc<str>),
}

impl StepReport {
    /// The report of a step whose tools are these, after those changes.
    pub(crate) fn new(step: u32, tools: [Arc<[ToolDefinition]>; 3], allow_text: bool, changes: Changes) -> Self {
        let [function_tools, hidden_tools, output_tools] = tools;
        Self {
            step,
            function_tools,
            hidden_tools,
            output_tools,
            tool_choice: None,
            notes: Vec::new(),
            moved: Vec::new(),
            allow_text,
            edits: changes.edits.into(),
            left_out: changes.left_out.into(),
        }
    }

    /// The report of `step`, when nothing has changed since but which tools are hidden.
    pub(crate) fn again(
        &self,
        step: u32,
        function_tools: Arc<[ToolDefinition]>,
        hidden: Arc<[ToolDefinition]>,
    ) -> Self {
        let (tool_choice, notes, moved) = (None, Vec::new(), Vec::new());
        Self { step, function_tools, hidden_tools: hidden, tool_choice, notes, moved, ..self.clone() }
    }

    /// Every tool that the step knew of: those that were offered, in order, then those to be found, the output tools, and
    /// those that are left out.
    #[must_use]
    pub fn tools(&self) -> Vec<ToolReport<'_>> {
        let mut edits = self.edits_by_tool();
        let mut report = |name, definition, status, owner| {
            let edits = edits.remove(&(owner, name)).unwrap_or_default();
            ToolReport { name, definition, status, edits }
        };
        let chosen = self.chosen();
        let offer = |name| {
            let is_chosen = chosen.as_ref().is_none_or(|names| names.contains(name));
            if is_chosen { ToolStatus::Offered } else { ToolStatus::NotChosen }
        };
        let mut tools = Vec::with_capacity(
            self.function_tools.len() + self.hidden_tools.len() + self.output_tools.len() + self.left_out.len(),
        );
        tools.extend(self.function_tools.iter().map(|tool| report(tool.name(), tool, offer(tool.name()), None)));
        tools.extend(self.hidden_tools.iter().map(|tool| report(tool.name(), tool, hidden(tool), None)));
        tools.extend(self.output_tools.iter().map(|tool| report(tool.name(), tool, offer(tool.name()), None)));
        let left_out = self.left_out.iter();
        tools.extend(left_out.map(|tool| report(&tool.name, &tool.definition, tool.status.clone(), tool.owner)));
        tools
    }

    /// What became of the tool of this name, if the step knew of it. Of several, one of which was left out, the one that
    /// was not.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<ToolReport<'_>> {
        self.tools().into_iter().find(|tool| tool.name == name)
    }

    /// The edits by the tool they belong to. Until a tool is left out its name is its own in its toolset, and after that
    /// another toolset's tool may have it.
    fn edits_by_tool(&self) -> HashMap<(Owner, &str), Vec<&ToolEdit>> {
        let gone: HashSet<_> = self.left_out.iter().map(|tool| (tool.owner, &*tool.name)).collect();
        let mut edits: HashMap<_, Vec<_>> = HashMap::new();
        for edit in self.edits.iter().filter(|edit| edit.fields().next().is_some()) {
            let of_gone = (edit.owner(), edit.name());
            let tool = if gone.contains(&of_gone) { of_gone } else { (None, edit.name()) };
            edits.entry(tool).or_default().push(edit);
        }
        edits
    }

    /// The names of the tools that the choice lets the model call; `None` is all.
    fn chosen(&self) -> Option<HashSet<&str>> {
        let choices = Choices {
            function_tools: &self.function_tools,
            deferred: Vec::new(),
            output_tools: &self.output_tools,
            hidden: self.hidden_tools.iter().collect(),
            allow_text: self.allow_text,
        };
        // A choice that cannot be made is an error of models that hold to it, and nothing to others.
        choices.resolve(self.tool_choice.as_ref()).ok()?.callable()
    }
}

/// Why a tool is hidden.
fn hidden(tool: &ToolDefinition) -> ToolStatus {
    tool.capability_id().map_or(ToolStatus::Hidden, |capability| ToolStatus::NotLoaded(capability.into()))
}

impl ToolReport<'_> {
    /// Whether the model could call the tool.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.status == ToolStatus::Offered
    }
}

impl fmt::Display for ToolStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offered => f.write_str("offered"),
            Self::Hidden => f.write_str("hidden until it is found"),
            Self::NotLoaded(capability) => write!(f, "hidden until capability `{capability}` is loaded"),
            Self::NotChosen => f.write_str("not chosen by the tool choice"),
            Self::LeftOut(by) => write!(f, "left out by {by}"),
            Self::Superseded(by) => write!(f, "superseded by `{by}`"),
        }
    }
}
