//! Tools that are functions of the application.

use std::fmt;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use super::Toolset;
use super::prepared::{next_list, slot_error};
use crate::context::{CallShared, RunContext};
use crate::error::{Error, Result};
use crate::panics::{catch, catch_later};
use crate::report::Decider;
use crate::tool::{Slot, Tool};

/// Tools that are functions of the application.
///
/// A cheap handle: clones share the tools, so that one kept by the application, or reached from inside a tool, can
/// [`add`](Self::add) to a run that goes on.
pub struct FunctionToolset<D> {
    shared: Arc<Shared<D>>,
}

struct Shared<D> {
    options: Options,
    /// Tools are only ever added.
    tools: RwLock<Vec<Tool<D>>>,
    /// Whether one of them has a `prepare` function.
    prepares: AtomicBool,
}

#[derive(Clone, Default)]
struct Options {
    id: Option<String>,
    max_retries: Option<u32>,
    timeout: Option<Duration>,
}

impl<D: Send + Sync + 'static> FunctionToolset<D> {
    /// A toolset without tools.
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(Options::default(), Vec::new())
    }

    fn with_options(options: Options, tools: Vec<Tool<D>>) -> Self {
        let tools: Vec<_> = tools.into_iter().map(|tool| options.apply(tool)).collect();
        let prepares = AtomicBool::new(tools.iter().any(|tool| tool.inner().prepare.is_some()));
        Self { shared: Arc::new(Shared { options, tools: RwLock::new(tools), prepares }) }
    }

    fn edit_options(self, edit: impl FnOnce(&mut Options)) -> Self {
        let mut options = self.shared.options.clone();
        edit(&mut options);
        Self::with_options(options, self.snapshot())
    }

    /// Names the toolset, in errors and in its tools. On what was made with it so far, not on handles cloned before.
    #[must_use]
    pub fn with_id(self, id: impl Into<String>) -> Self {
        self.edit_options(|options| options.id = Some(id.into()))
    }

    /// Adds tools. Two of the same name are found when an agent is built with them.
    #[must_use]
    pub fn with_tools(self, tools: impl IntoIterator<Item = Tool<D>>) -> Self {
        let all = self.snapshot().into_iter().chain(tools).collect();
        Self::with_options(self.shared.options.clone(), all)
    }

    /// How often the model may be asked to try one of these tools again, for tools that do not say so themselves.
    #[must_use]
    pub fn with_max_retries(self, max_retries: u32) -> Self {
        self.edit_options(|options| options.max_retries = Some(max_retries))
    }

    /// How long a call may take, for tools that do not say so themselves.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.edit_options(|options| options.timeout = Some(timeout))
    }

    /// Adds a tool, also while runs go on: they see it from their next step (specification: "Tools that appear mid-run").
    ///
    /// # Errors
    ///
    /// When the toolset has a tool of that name.
    pub fn add(&self, tool: impl Into<Tool<D>>) -> Result<()> {
        let tool = self.shared.options.apply(tool.into());
        let mut tools = self.shared.tools.write().unwrap_or_else(PoisonError::into_inner);
        if tools.iter().any(|other| other.name() == tool.name()) {
            return Err(Error::misuse(format!(
                "{} has a tool named `{}` already; give one of them another name with `with_name`",
                label(self.shared.options.id.as_deref()),
                tool.name()
            )));
        }
        if tool.inner().prepare.is_some() {
            self.shared.prepares.store(true, Ordering::Relaxed);
        }
        tools.push(tool);
        Ok(())
    }

    fn snapshot(&self) -> Vec<Tool<D>> {
        self.shared.tools.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says which two tools have one name, if any do.
    pub(crate) fn check(&self) -> Result<()> {
        let tools = self.snapshot();
        super::NameIndex::new(tools.iter().map(Tool::definition)).map(drop).map_err(|clash| {
            let owner = label(self.shared.options.id.as_deref());
            Error::misuse(two_of_one_name(&owner, &tools[clash.first], &tools[clash.second]))
        })
    }
}

fn label(id: Option<&str>) -> String {
    id.map_or_else(|| "the agent".to_owned(), |id| format!("toolset `{id}`"))
}

/// Says where both are, as far as that is known.
fn two_of_one_name<D>(owner: &str, first: &Tool<D>, second: &Tool<D>) -> String {
    let name = first.name();
    match (first.inner().defined_at, second.inner().defined_at) {
        (Some(first), Some(second)) if first == second => {
            format!("{owner} has the tool `{name}` of {} twice; leave one out", place(first))
        }
        (Some(first), Some(second)) => format!(
            "{owner} has two tools named `{name}`, of {} and of {}; give one of them another name",
            place(first),
            place(second)
        ),
        (Some(known), None) | (None, Some(known)) => format!(
            "{owner} has two tools named `{name}`, one of them of {}; give one of them another name with `with_name`",
            place(known)
        ),
        (None, None) => {
            format!("{owner} has two tools named `{name}`; give one of them another name with `with_name`")
        }
    }
}

fn place(location: &Location<'_>) -> String {
    format!("{}:{}", location.file(), location.line())
}

impl Options {
    fn apply<D: Send + Sync + 'static>(&self, mut tool: Tool<D>) -> Tool<D> {
        let inner = tool.inner();
        let max_retries = inner.max_retries.or(self.max_retries);
        let default_timeout = inner.default_timeout.or(self.timeout);
        if max_retries != inner.max_retries || default_timeout != inner.default_timeout {
            let inner = tool.inner_mut();
            inner.max_retries = max_retries;
            inner.default_timeout = default_timeout;
        }
        match &self.id {
            Some(id) if tool.definition().toolset_id().is_none() => {
                tool.map_definition(|definition| definition.with_toolset_id(id))
            }
            _ => tool,
        }
    }
}

impl<D: Send + Sync + 'static> Default for FunctionToolset<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D> Clone for FunctionToolset<D> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone() }
    }
}

impl<D: Send + Sync + 'static> fmt::Debug for FunctionToolset<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionToolset")
            .field("id", &self.shared.options.id)
            .field("tools", &self.snapshot().iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

impl<D: Send + Sync + 'static> Toolset<D> for FunctionToolset<D> {
    fn id(&self) -> Option<&str> {
        self.shared.options.id.as_deref()
    }

    fn revision(&self) -> Option<u64> {
        let tools = self.shared.tools.read().unwrap_or_else(PoisonError::into_inner);
        // The lock orders this with what `add` has stored.
        if self.shared.prepares.load(Ordering::Relaxed) { None } else { u64::try_from(tools.len()).ok() }
    }

    async fn tools(&self, ctx: &RunContext<D>) -> Result<Vec<Tool<D>>> {
        let mut tools = self.snapshot();
        if tools.iter().all(|tool| tool.inner().prepare.is_none()) {
            return Ok(tools);
        }
        let list = next_list();
        let mut kept = Vec::with_capacity(tools.len());
        for (index, tool) in tools.drain(..).enumerate() {
            kept.extend(prepare(ctx, tool, Slot { list, index: u32::try_from(index).unwrap_or(u32::MAX) }).await?);
        }
        Ok(kept)
    }
}

/// Runs the tool's own `prepare`. Nothing, when it leaves the tool out.
async fn prepare<D: Send + Sync + 'static>(ctx: &RunContext<D>, tool: Tool<D>, slot: Slot) -> Result<Option<Tool<D>>> {
    let Some(prepare) = &tool.inner().prepare else {
        return Ok(Some(tool));
    };
    let name = &tool.inner().name;
    let (retry, budget) = ctx.retries_of(tool.name());
    let call = CallShared {
        tool_name: Some(name.clone()),
        retry,
        max_retries: tool.inner().max_retries.unwrap_or(budget),
        ..ctx.call().clone()
    };
    let given = tool.definition().clone().in_slot(slot);
    let ctx = ctx.for_call(call);
    let prepared = catch_later(catch(|| prepare(&ctx, given)))
        .await
        .map_err(|error| Error::tool(format!("the prepare function of tool `{name}` failed"), error))?;
    match prepared {
        None => {
            ctx.note_left_out(Decider::Prepare, tool.definition());
            Ok(None)
        }
        Some(definition) if definition.slot() == slot => {
            if !definition.is_same(tool.definition()) {
                ctx.note_edit(Decider::Prepare, tool.definition(), &definition);
            }
            Ok(Some(tool.with_definition(definition)))
        }
        Some(definition) => Err(slot_error(&format!("the prepare function of tool `{name}`"), definition.name())),
    }
}
