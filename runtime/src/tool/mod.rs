//! Tools: what a model may call, and what happens then.

mod body;
mod definition;
mod failure;
pub mod kind;
mod method;
mod output;
mod raw;
mod schema;
mod spec;
mod typed;

use std::fmt;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

pub use body::Running;
pub(crate) use body::{ReadArgs, ToolBody};
pub(crate) use definition::Slot;
pub use definition::{CallKind, ToolDefinition};
pub(crate) use failure::CallFailure;
pub use failure::{ApprovalRequired, CallDeferred, ModelRetry, Signal, ToolFailed};
pub use method::MethodTool;
pub(crate) use output::Finished;
pub use output::{ToolOutput, ToolReturn};
pub use raw::RawTool;
pub use spec::{ParamSpec, ToolParameter, ToolSpec};
pub(crate) use typed::foreign_args;
pub use typed::{TypedTool, read_args};

use crate::message::Metadata;
use crate::prepare::{BoxedToolPrepare, ToolPrepare, boxed_tool_prepare};

/// A tool for agents whose dependencies are `D`: a definition, and what runs when it is called.
///
/// Cloning shares what runs. Made by `#[tool]` and [`tools!`](crate::tools), or with [`RawTool`]. What the attribute says
/// of the tool can be changed here, for one agent of several: its name, `prepare`, its limits, and with
/// [`map_definition`](Self::map_definition) everything else in its [`ToolDefinition`]. How arguments are read and looked at
/// (`lenient`, `args_validator`) and where the function runs (`inline`) cannot.
pub struct Tool<D> {
    definition: ToolDefinition,
    inner: Arc<ToolInner<D>>,
}

pub(crate) struct ToolInner<D> {
    /// The tool's own name, before `prepare`, prefixes and renaming.
    pub(crate) name: Arc<str>,
    /// Where the annotated function is, if it is one: then all that its kind asks of it is there when the program starts.
    pub(crate) defined_at: Option<&'static Location<'static>>,
    pub(crate) max_retries: Option<u32>,
    /// What the toolset allows for a call, where the definition says nothing.
    pub(crate) default_timeout: Option<Duration>,
    pub(crate) prepare: Option<Arc<BoxedToolPrepare<D>>>,
    pub(crate) body: Arc<dyn ToolBody<D>>,
}

impl<D> Clone for ToolInner<D> {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            defined_at: self.defined_at,
            max_retries: self.max_retries,
            default_timeout: self.default_timeout,
            prepare: self.prepare.clone(),
            body: self.body.clone(),
        }
    }
}

impl<D: Send + Sync + 'static> Tool<D> {
    pub(crate) fn from_parts(definition: ToolDefinition, body: Arc<dyn ToolBody<D>>) -> Self {
        let inner = ToolInner {
            name: definition.shared_name(),
            defined_at: None,
            max_retries: None,
            default_timeout: None,
            prepare: None,
            body,
        };
        Self { definition, inner: Arc::new(inner) }
    }

    pub(crate) fn inner_mut(&mut self) -> &mut ToolInner<D> {
        Arc::make_mut(&mut self.inner)
    }

    /// Edits the definition, once and for all steps: `.map_definition(|tool| tool.with_defer_loading(true))`.
    #[must_use]
    pub fn map_definition(mut self, edit: impl FnOnce(ToolDefinition) -> ToolDefinition) -> Self {
        self.definition = edit(self.definition);
        self
    }

    /// Gives the tool another name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<Arc<str>>) -> Self {
        let name = name.into();
        self.inner_mut().name = name.clone();
        self.map_definition(|definition| definition.with_name(name))
    }

    /// Decides at each step what of the tool the model sees, or that it sees nothing (specification: "Dynamic Tools").
    #[must_use]
    pub fn with_prepare<Form>(mut self, prepare: impl ToolPrepare<D, Form>) -> Self {
        self.inner_mut().prepare = Some(Arc::new(boxed_tool_prepare(prepare)));
        self
    }

    /// How often the model may be asked, in a row, to try the tool again; above all other limits.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.inner_mut().max_retries = Some(retries);
        self
    }

    /// How long a call may take. A call that takes longer is answered with a retry prompt, and the tool is stopped, or,
    /// if it blocks a thread, left behind (specification: "Tool Timeout").
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.map_definition(|definition| definition.with_timeout(timeout))
    }

    /// Runs the tool only once the call is approved (specification: behaviours 11).
    #[must_use]
    pub fn with_approval(self) -> Self {
        self.map_definition(|definition| definition.with_kind(CallKind::Unapproved))
    }

    /// Runs the tool alone: calls before it end first, and those after it start once it has ended.
    #[must_use]
    pub fn with_sequential(self) -> Self {
        self.map_definition(|definition| definition.with_sequential(true))
    }

    /// Adds application data, which is never sent; a key that is there already is overwritten.
    #[must_use]
    pub fn with_metadata(self, metadata: &Metadata) -> Self {
        self.map_definition(|definition| definition.merge_metadata(metadata))
    }
}

impl<D> Tool<D> {
    /// The name by which a model calls the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        self.definition.name()
    }

    /// What the model is told, and how calls are treated.
    #[must_use]
    pub fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    pub(crate) fn inner(&self) -> &ToolInner<D> {
        &self.inner
    }

    /// Whether both are one tool, untouched.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) && self.definition.is_same(&other.definition)
    }

    pub(crate) fn with_definition(mut self, definition: ToolDefinition) -> Self {
        self.definition = definition;
        self
    }
}

impl<D> Clone for Tool<D> {
    fn clone(&self) -> Self {
        Self { definition: self.definition.clone(), inner: self.inner.clone() }
    }
}

impl<D> fmt::Debug for Tool<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("definition", &self.definition)
            .field("max_retries", &self.inner.max_retries)
            .field("prepare", &self.inner.prepare.is_some())
            .finish_non_exhaustive()
    }
}
