//! Toolsets: where a step's tools come from.

mod combined;
mod dynamic;
mod external;
mod filtered;
mod function;
mod mapped;
mod naming;
mod prepared;

use std::fmt;
use std::sync::Arc;

pub(crate) use combined::{Member, NameIndex, combine};
pub use dynamic::DynamicToolset;
pub use external::ExternalToolset;
pub use filtered::FilteredToolset;
pub use function::FunctionToolset;
pub use mapped::MappedToolset;
pub(crate) use naming::{Naming, NamingRule};
pub use prepared::PreparedToolset;
pub(crate) use prepared::{Defined, HandedOut};
use serde_json::{Map, Value};

use crate::context::RunContext;
use crate::error::Result;
use crate::later::BoxFuture;
use crate::message::Metadata;
use crate::prepare::ToolsPrepare;
use crate::tool::{Tool, ToolDefinition};

/// Where tools come from. The agent asks for them at every step.
///
/// Specification: behaviours 2. What stands around a toolset is made with [`ToolsetExt`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no toolset for an agent whose dependencies are `{D}`",
    label = "does not implement `Toolset<{D}>`",
    note = "tools are added with `.tool(…)` and `.tools(tools![…])`; a `FunctionToolset` holds several, and more is an implementation of \
            `Toolset`"
)]
pub trait Toolset<D>: Send + Sync + 'static {
    /// The id that errors name the toolset by; its tools carry it, too.
    fn id(&self) -> Option<&str> {
        None
    }

    /// What a user can do when one of the names is taken.
    fn clash_hint(&self) -> &'static str {
        "rename one of them, or wrap a toolset with `.prefixed(…)`"
    }

    /// A number that stays the same for as long as [`tools`](Self::tools) would give the same tools, whatever the step: a run
    /// asks for them again only once it has changed. `None`, as it is unless said otherwise: they are asked for at every step.
    fn revision(&self) -> Option<u64> {
        None
    }

    /// The tools of this step, in order.
    ///
    /// # Errors
    ///
    /// When they cannot be had; it ends the run.
    fn tools(&self, ctx: &RunContext<D>) -> impl Future<Output = Result<Vec<Tool<D>>>> + Send;
}

/// What can stand around any toolset.
pub trait ToolsetExt<D: Send + Sync + 'static>: Toolset<D> + Sized {
    /// Hides the toolset's type.
    fn boxed(self) -> AnyToolset<D> {
        AnyToolset(Arc::new(self))
    }

    /// Puts `prefix` and an underscore before each name.
    fn prefixed(self, prefix: impl Into<String>) -> MappedToolset<Self, D> {
        MappedToolset::prefixed(self, prefix.into())
    }

    /// Gives tools other names: pairs of the new and the old one. Old names that do not exist are passed over.
    fn renamed<N: Into<String>, O: Into<String>>(
        self,
        names: impl IntoIterator<Item = (N, O)>,
    ) -> MappedToolset<Self, D> {
        let names = names.into_iter().map(|(new, old)| (old.into(), new.into())).collect();
        MappedToolset::renamed(self, names)
    }

    /// Keeps the tools for which `keep` holds; it is asked at every step.
    fn filtered(
        self,
        keep: impl Fn(&RunContext<D>, &ToolDefinition) -> bool + Send + Sync + 'static,
    ) -> FilteredToolset<Self, D> {
        FilteredToolset::new(self, keep)
    }

    /// Lets a hook edit, order and leave out the toolset's tools at every step. Its error ends the run.
    fn prepared<Form>(self, hook: impl ToolsPrepare<D, Form>) -> PreparedToolset<Self, D> {
        PreparedToolset::new(self, hook)
    }

    /// Asks for approval of the calls for which `needed` holds, when they are made: no hook can lose it.
    ///
    /// The definitions keep their kind; `needed` is given the definition and the argument object
    /// (specification: behaviours 2, reported fault D03).
    fn approval_required(
        self,
        needed: impl Fn(&RunContext<D>, &ToolDefinition, &Map<String, Value>) -> bool + Send + Sync + 'static,
    ) -> MappedToolset<Self, D> {
        MappedToolset::approval_required(self, needed)
    }

    /// Adds application data to each tool, which is never sent; a key that is there already is overwritten.
    fn with_metadata(self, metadata: Metadata) -> MappedToolset<Self, D> {
        MappedToolset::with_metadata(self, metadata)
    }

    /// Hides the named tools, or with `None` all of them, until they are found or revealed (specification: "Tool Search").
    fn defer_loading(self, names: Option<Vec<String>>) -> MappedToolset<Self, D> {
        MappedToolset::deferred(self, names)
    }
}

impl<D: Send + Sync + 'static, T: Toolset<D>> ToolsetExt<D> for T {}

/// What to call `toolset`: by its own id, or as the one that it is in.
fn label<D>(toolset: &impl Toolset<D>, ctx: &RunContext<D>) -> Arc<str> {
    match toolset.id() {
        Some(id) => format!("toolset `{id}`").into(),
        None => ctx.toolset_label().into(),
    }
}

/// A toolset behind a pointer. Cloning shares it.
pub struct AnyToolset<D>(Arc<dyn ErasedToolset<D>>);

impl<D> Clone for AnyToolset<D> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<D> fmt::Debug for AnyToolset<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyToolset").field(&self.0.id()).finish()
    }
}

impl<D: Send + Sync + 'static> Toolset<D> for AnyToolset<D> {
    fn id(&self) -> Option<&str> {
        self.0.id()
    }

    fn clash_hint(&self) -> &'static str {
        self.0.clash_hint()
    }

    fn revision(&self) -> Option<u64> {
        self.0.revision()
    }

    async fn tools(&self, ctx: &RunContext<D>) -> Result<Vec<Tool<D>>> {
        self.0.tools(ctx).await
    }
}

/// [`Toolset`] with boxed futures, so that it can stand behind a pointer.
trait ErasedToolset<D>: Send + Sync {
    fn id(&self) -> Option<&str>;
    fn clash_hint(&self) -> &'static str;
    fn revision(&self) -> Option<u64>;
    fn tools<'a>(&'a self, ctx: &'a RunContext<D>) -> BoxFuture<'a, Result<Vec<Tool<D>>>>;
}

impl<D, T: Toolset<D>> ErasedToolset<D> for T {
    fn id(&self) -> Option<&str> {
        Toolset::id(self)
    }

    fn clash_hint(&self) -> &'static str {
        Toolset::clash_hint(self)
    }

    fn revision(&self) -> Option<u64> {
        Toolset::revision(self)
    }

    fn tools<'a>(&'a self, ctx: &'a RunContext<D>) -> BoxFuture<'a, Result<Vec<Tool<D>>>> {
        Box::pin(Toolset::tools(self, ctx))
    }
}
