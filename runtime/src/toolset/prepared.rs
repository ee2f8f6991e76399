//! Hooks over a list of tools: what they give back is matched to what they were given.

use std::cell::LazyCell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Toolset, label};
use crate::context::RunContext;
use crate::error::{Error, Result};
use crate::panics::{catch, catch_later};
use crate::prepare::{BoxedToolsPrepare, ToolsPrepare, boxed_tools_prepare};
use crate::report::Decider;
use crate::tool::{Slot, Tool, ToolDefinition};

/// A toolset whose tools a hook edits, orders and leaves out at every step; made with
/// [`ToolsetExt::prepared`](super::ToolsetExt::prepared).
pub struct PreparedToolset<T, D> {
    inner: T,
    hook: BoxedToolsPrepare<D>,
}

impl<T, D: 'static> PreparedToolset<T, D> {
    pub(super) fn new<Form>(inner: T, hook: impl ToolsPrepare<D, Form>) -> Self {
        Self { inner, hook: boxed_tools_prepare(hook) }
    }
}

impl<T: Toolset<D>, D: Send + Sync + 'static> Toolset<D> for PreparedToolset<T, D> {
    fn id(&self) -> Option<&str> {
        self.inner.id()
    }

    fn clash_hint(&self) -> &'static str {
        self.inner.clash_hint()
    }

    async fn tools(&self, ctx: &RunContext<D>) -> Result<Vec<Tool<D>>> {
        let tools = self.inner.tools(ctx).await?;
        apply_hook(ctx, tools, &self.hook, &format!("the prepare hook of {}", label(&self.inner, ctx))).await
    }
}

impl<T: fmt::Debug, D> fmt::Debug for PreparedToolset<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedToolset").field("inner", &self.inner).finish_non_exhaustive()
    }
}

/// Something that models know by a definition.
pub(crate) trait Defined: Sized {
    fn definition(&self) -> &ToolDefinition;
    fn with_definition(self, definition: ToolDefinition) -> Self;
}

impl<D> Defined for Tool<D> {
    fn definition(&self) -> &ToolDefinition {
        self.definition()
    }

    fn with_definition(self, definition: ToolDefinition) -> Self {
        self.with_definition(definition)
    }
}

/// A number for a list of definitions that no other list has.
pub(super) fn next_list() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Lets `hook` edit, order and leave out tools. Errors and reports call it `who`.
pub(crate) async fn apply_hook<D, T: Defined>(
    ctx: &RunContext<D>,
    tools: Vec<T>,
    hook: &BoxedToolsPrepare<D>,
    who: &str,
) -> Result<Vec<T>> {
    let (list, given) = HandedOut::new(&tools);
    let back =
        catch_later(catch(|| hook(ctx, given))).await.map_err(|error| Error::tool(format!("{who} failed"), error))?;
    list.take_back(ctx, tools, back, who)
}

/// Definitions that a hook was given.
///
/// What it gives back is matched to what it was given by where it stood, so that no definition can come to stand for
/// another tool (decision 9).
pub(crate) struct HandedOut {
    list: u64,
}

impl HandedOut {
    /// The definitions of `tools`, for a hook.
    pub(crate) fn new<T: Defined>(tools: &[T]) -> (Self, Vec<ToolDefinition>) {
        let list = next_list();
        let slotted = |(index, tool): (u32, &T)| tool.definition().clone().in_slot(Slot { list, index });
        (Self { list }, (0..).zip(tools).map(slotted).collect())
    }

    /// The tools with the definitions that `who` gave back. What that changes is noted.
    pub(crate) fn take_back<D, T: Defined>(
        self,
        ctx: &RunContext<D>,
        tools: Vec<T>,
        back: Vec<ToolDefinition>,
        who: &str,
    ) -> Result<Vec<T>> {
        let mut tools: Vec<_> = tools.into_iter().map(Some).collect();
        let by = LazyCell::new(|| Decider::Hook(who.into()));
        let reunite = |definition: ToolDefinition| {
            let tool = take(&definition, self.list, &mut tools, who)?;
            if !definition.is_same(tool.definition()) {
                ctx.note_edit(by.clone(), tool.definition(), &definition);
            }
            Ok(tool.with_definition(definition))
        };
        let kept = back.into_iter().map(reunite).collect::<Result<_>>()?;
        for tool in tools.iter().flatten() {
            ctx.note_left_out(by.clone(), tool.definition());
        }
        Ok(kept)
    }
}

/// Takes the tool that a definition was given for.
fn take<T: Defined>(definition: &ToolDefinition, list: u64, tools: &mut [Option<T>], who: &str) -> Result<T> {
    let slot = definition.slot();
    let place = usize::try_from(slot.index).ok().and_then(|index| tools.get_mut(index));
    let Some(place) = place.filter(|_| slot.list == list) else {
        return Err(slot_error(who, definition.name()));
    };
    match place.take() {
        None => Err(Error::misuse(format!(
            "{who} returned tool `{}` twice; return each definition at most once",
            definition.name()
        ))),
        Some(tool) if tool.definition().name() != definition.name() => Err(Error::misuse(format!(
            "{who} renamed tool `{}` to `{}`; a hook cannot rename tools: use `prepare` on the tool, or `.renamed(…)` on its \
             toolset",
            tool.definition().name(),
            definition.name()
        ))),
        Some(tool) => Ok(tool),
    }
}

/// A definition that was not among those given.
pub(super) fn slot_error(who: &str, name: &str) -> Error {
    Error::misuse(format!(
        "{who} returned a definition named `{name}` that it was not given; edit the definitions it gets with their `with_*` \
         methods, and add tools to a toolset"
    ))
}
