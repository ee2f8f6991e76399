//! Toolsets made of annotated blocks and modules.

use std::sync::Arc;

use crate::tool::{MethodTool, Tool};

/// A value whose methods are tools: they share it, and they run in any thread.
#[diagnostic::on_unimplemented(
    message = "the tools of a `#[toolset]` cannot share `{Self}`",
    label = "not `Send`, `Sync` and `'static`",
    note = "calls run side by side, in any thread, for as long as a run goes on: let the type own what it holds, count \
            references with `Arc`, and keep what changes in a `Mutex`, an `RwLock` or an atomic"
)]
pub trait ToolReceiver: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> ToolReceiver for T {}

/// The dependencies of a tool among others that have `D`.
#[diagnostic::on_unimplemented(
    message = "the tools of one toolset have the same dependencies: `{D}` for those before, and `{Self}` for this one",
    label = "expected `{D}`",
    note = "take the same `&RunContext<…>` in all of them, or put the tool in a toolset of its own"
)]
pub trait SameDeps<D>: Sized {
    /// The tool, whose type is the one asked for.
    fn same(tool: Tool<Self>) -> Tool<D>;
}

impl<D> SameDeps<D> for D {
    fn same(tool: Tool<Self>) -> Tool<D> {
        tool
    }
}

/// The tool, as one for agents whose dependencies are `D`.
#[must_use]
pub fn same_deps<D, E: SameDeps<D>>(tool: Tool<E>) -> Tool<D> {
    E::same(tool)
}

/// The method `M` of a value, as a tool that shares the value.
#[must_use]
pub fn method<D, T, M>(receiver: &Arc<T>) -> Tool<D>
where
    D: Send + Sync + 'static,
    T: MethodTool<D, M>,
    M: 'static,
{
    Tool::method::<T, M>(receiver)
}
